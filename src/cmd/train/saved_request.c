/* saved_request.c - options and names of files as JSON. */
#include "cmd/train/saved_request.h"

#include "base/mem.h"
#include "train/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only these options of the command itself are saved, and all of the other tables. */
static int is_saved(const char *name)
{
    static const char *const own[] = { "valid", "log", "log-every", "curves", "save-every",
                                       "show-every", "memory", "exchange", "merges",
                                       "target-merges", "init", "replay", NULL };
    for (const char *const *known = own; *known; known++)
        if (!strcmp(name, *known)) return 1;
    return 0;
}

static int names_file(const char *name)
{
    static const char *const files[] = { "valid", "log", "curves", "merges", "target-merges",
                                         "init", "replay", NULL };
    for (const char *const *known = files; *known; known++)
        if (!strcmp(name, *known)) return 1;
    return 0;
}

/* ---- Writing ---- */

static void add_option(const Field *field, const void *object, cJSON *options)
{
    Buf value = { 0 };
    buf_clear(&value);
    field_print(field, object, &value);
    if (field->kind != FIELD_TEXT || value.length)
        json_add_bytes(options, field->name, value.text);
    buf_free(&value);
}

char *saved_request_text(const OptionSet *sets, const char *command, const BitextFiles *files,
                         int workers)
{
    char folder[PATH_MAX];
    cJSON *json = cJSON_CreateObject();
    json_add_bytes(json, "command", command);
    json_add_bytes(json, "folder", getcwd(folder, sizeof folder) ? folder : ".");
    cJSON *names = cJSON_AddArrayToObject(json, "files");
    for (int i = 0; i < files->count; i++)
        cJSON_AddItemToArray(names, json_bytes(files->name[i]));
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON *options = cJSON_AddObjectToObject(json, "options");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++)
            if (set != sets || is_saved(field->name)) add_option(field, set->object, options);
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    return text;
}

/* ---- Reading ---- */

/* Makes a relative name one of the folder of the first run, where this run has another folder. */
static void move_name(cJSON *name, const char *folder)
{
    char here[PATH_MAX];
    Buf moved = { 0 };
    if (!cJSON_IsString(name) || *name->valuestring == '/') return;
    if (!strcmp(name->valuestring, "-")) return;
    if (getcwd(here, sizeof here) && !strcmp(here, folder)) return;
    buf_printf(&moved, "%s/%s", folder, name->valuestring);
    cJSON_SetValuestring(name, moved.text);
    buf_free(&moved);
}

static void move_names(cJSON *files, cJSON *options, const char *folder)
{
    cJSON *item;
    cJSON_ArrayForEach(item, files) move_name(item, folder);
    cJSON_ArrayForEach(item, options)
        if (names_file(item->string)) move_name(item, folder);
}

static int read_files(SavedRequest *saved, const cJSON *files, Err *e)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, files) {
        if (!cJSON_IsString(item) || saved->files == REQUEST_FILES)
            return err(e, "\"files\" are not names");
        saved->file[saved->files++] = item->valuestring;
    }
    return 0;
}

static int read_json(SavedRequest *saved, Err *e)
{
    const char *folder;
    const cJSON *files, *options;
    if (json_get_string(saved->json, "command", &saved->command, e)
        || json_get_string(saved->json, "folder", &folder, e)
        || json_get_array(saved->json, "files", &files, e)
        || json_get_object(saved->json, "options", &options, e)
        || json_get_int(saved->json, "workers", 1, 1 << 16, &saved->workers, e))
        return -1;
    move_names((cJSON *)files, (cJSON *)options, folder);
    saved->log = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "log"));
    saved->curves = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "curves"));
    return read_files(saved, files, e);
}

int saved_request_read(SavedRequest *saved, const char *state, Err *e)
{
    Err why;
    TrainingProgress progress;
    char *text;
    *saved = (SavedRequest){ .state = xstrdup(state) };
    if (state_peek(state, &progress, &text, e)) return -1;
    saved->network = progress.network;
    saved->earlier_seconds = progress.earlier_seconds;
    saved->json = text ? json_parse(text, strlen(text), &why) : NULL;
    if (saved->json) json_restore_bytes(saved->json);
    if (!text) err(&why, "it holds no request");
    int rc = saved->json ? read_json(saved, &why) : -1;
    free(text);
    return rc ? err(e, "cannot resume from '%s': %s", state, why.text) : 0;
}

void saved_request_free(SavedRequest *saved)
{
    cJSON_Delete(saved->json);
    free(saved->state);
    *saved = (SavedRequest){ 0 };
}

/* ---- Comparing ---- */

typedef struct { const Field *field; void *object; } Place;

static Place find(const OptionSet *sets, const char *name)
{
    for (; sets->fields; sets++) {
        const Field *field = fields_find(sets->fields, name, strlen(name));
        if (field) return (Place){ field, sets->object };
    }
    return (Place){ NULL, NULL };
}

/* The option after `at`; the first one for NULL. */
static const cJSON *next_option(const SavedRequest *saved, const cJSON *at)
{
    return at ? at->next : cJSON_GetObjectItemCaseSensitive(saved->json, "options")->child;
}

int saved_request_apply(const SavedRequest *saved, const OptionSet *sets, Err *e)
{
    Err why;
    for (const cJSON *option = NULL; (option = next_option(saved, option));) {
        const Place place = find(sets, option->string);
        if (!place.field || !cJSON_IsString(option))
            return err(e, "cannot resume from '%s': \"%s\" is no option", saved->state,
                       option->string);
        if (field_set(place.field, place.object, option->valuestring, &why))
            return err(e, "cannot resume from '%s': %s", saved->state, why.text);
    }
    return 0;
}

/* Whether the option has changed; *now becomes its value. An automatic one has not: the same
 * corpus gives it the same value. */
static int is_changed(const OptionSet *sets, const cJSON *option, Buf *now)
{
    const Place place = find(sets, option->string);
    buf_clear(now);
    field_print(place.field, place.object, now);
    return strcmp(now->text, option->valuestring) && strcmp(now->text, "auto");
}

int saved_request_compare(const SavedRequest *saved, const OptionSet *sets, Err *e)
{
    Err why;
    int rc = 0;
    Buf now = { 0 };
    for (const cJSON *option = NULL; !rc && (option = next_option(saved, option));)
        if (!is_saved(option->string) && !state_may_differ(option->string)
            && is_changed(sets, option, &now))
            rc = state_refuse(option->string, option->valuestring, now.text, &why);
    buf_free(&now);
    return rc ? err(e, "cannot resume from '%s': %s", saved->state, why.text) : 0;
}

void saved_request_command(const SavedRequest *saved, const OptionSet *sets, Buf *out)
{
    Buf now = { 0 };
    buf_puts(out, saved->command);
    for (const cJSON *option = NULL; (option = next_option(saved, option));)
        if (state_may_differ(option->string) && is_changed(sets, option, &now))
            buf_printf(out, " --%s %s", option->string, now.text);
    buf_free(&now);
}
