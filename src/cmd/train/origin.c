/* origin.c - see origin.h. */
#include "cmd/train/origin.h"

#include "base/mem.h"
#include "train/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the options of the command itself these are kept; of the other tables all. */
static int is_kept(const char *name)
{
    static const char *const own[] = { "valid", "log", "log-every", "curves", "save-every",
                                       "show-every", "memory", "merges", "target-merges", NULL };
    for (const char *const *known = own; *known; known++)
        if (!strcmp(name, *known)) return 1;
    return 0;
}

static int is_of_file(const char *name)
{
    static const char *const files[] = { "valid", "log", "curves", "merges", "target-merges",
                                         NULL };
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
        cJSON_AddStringToObject(options, field->name, value.text);
    buf_free(&value);
}

char *origin_text(const OptionSet *sets, const char *command, const BitextFiles *files, int workers)
{
    char folder[PATH_MAX];
    cJSON *json = cJSON_CreateObject(), *options;
    cJSON_AddStringToObject(json, "command", command);
    cJSON_AddStringToObject(json, "folder", getcwd(folder, sizeof folder) ? folder : ".");
    cJSON_AddItemToObject(json, "files", cJSON_CreateStringArray(files->name, files->count));
    cJSON_AddNumberToObject(json, "workers", workers);
    options = cJSON_AddObjectToObject(json, "options");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++)
            if (set != sets || is_kept(field->name)) add_option(field, set->object, options);
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    return text;
}

/* ---- Reading ---- */

/* A relative name begins in the folder of that time, which need not be that of today. */
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
        if (is_of_file(item->string)) move_name(item, folder);
}

static int read_files(Origin *origin, const cJSON *files, Err *e)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, files) {
        if (!cJSON_IsString(item) || origin->files == ORIGIN_FILES)
            return err(e, "\"files\" are no names");
        origin->file[origin->files++] = item->valuestring;
    }
    return 0;
}

static int read_json(Origin *origin, Err *e)
{
    const char *folder;
    const cJSON *files, *options;
    if (json_get_string(origin->json, "command", &origin->command, e)
        || json_get_string(origin->json, "folder", &folder, e)
        || json_get_array(origin->json, "files", &files, e)
        || json_get_object(origin->json, "options", &options, e)
        || json_get_int(origin->json, "workers", 1, 1 << 16, &origin->workers, e))
        return -1;
    move_names((cJSON *)files, (cJSON *)options, folder);
    origin->log = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "log"));
    origin->curves = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "curves"));
    return read_files(origin, files, e);
}

int origin_read(Origin *origin, const char *state, Err *e)
{
    Err why;
    TrainingProgress progress;
    char *text;
    *origin = (Origin){ .state = xstrdup(state) };
    if (state_peek(state, &progress, &text, e)) return -1;
    origin->json = text ? json_parse(text, strlen(text), &why) : NULL;
    if (!text) err(&why, "it does not say what was asked for");
    int rc = origin->json ? read_json(origin, &why) : -1;
    free(text);
    return rc ? err(e, "cannot resume from '%s': %s", state, why.text) : 0;
}

void origin_free(Origin *origin)
{
    cJSON_Delete(origin->json);
    free(origin->state);
    *origin = (Origin){ 0 };
}

/* ---- What it says ---- */

typedef struct { const Field *field; void *object; } Place;

static Place find(const OptionSet *sets, const char *name)
{
    for (; sets->fields; sets++) {
        const Field *field = fields_find(sets->fields, name, strlen(name));
        if (field) return (Place){ field, sets->object };
    }
    return (Place){ NULL, NULL };
}

/* The options one after another: `at` is the one before, NULL at first. */
static const cJSON *next_option(const Origin *origin, const cJSON *at)
{
    return at ? at->next : cJSON_GetObjectItemCaseSensitive(origin->json, "options")->child;
}

int origin_apply(const Origin *origin, const OptionSet *sets, Err *e)
{
    Err why;
    for (const cJSON *option = NULL; (option = next_option(origin, option));) {
        const Place place = find(sets, option->string);
        if (!place.field || !cJSON_IsString(option))
            return err(e, "cannot resume from '%s': \"%s\" is no option", origin->state,
                       option->string);
        if (field_set(place.field, place.object, option->valuestring, &why))
            return err(e, "cannot resume from '%s': %s", origin->state, why.text);
    }
    return 0;
}

/* Whether the option is another now; what it is, to *now. What is left to the corpus comes out as it
 * did. */
static int is_changed(const OptionSet *sets, const cJSON *option, Buf *now)
{
    const Place place = find(sets, option->string);
    buf_clear(now);
    field_print(place.field, place.object, now);
    return strcmp(now->text, option->valuestring) && strcmp(now->text, "auto");
}

int origin_compare(const Origin *origin, const OptionSet *sets, Err *e)
{
    int rc = 0;
    Buf now = { 0 };
    for (const cJSON *option = NULL; !rc && (option = next_option(origin, option));)
        if (!is_kept(option->string) && !state_may_differ(option->string)
            && is_changed(sets, option, &now))
            rc = err(e, "cannot resume from '%s': %s was %s and is %s now", origin->state,
                     option->string, option->valuestring, now.text);
    buf_free(&now);
    return rc;
}

void origin_command(const Origin *origin, const OptionSet *sets, Buf *out)
{
    Buf now = { 0 };
    buf_puts(out, origin->command);
    for (const cJSON *option = NULL; (option = next_option(origin, option));)
        if (state_may_differ(option->string) && is_changed(sets, option, &now))
            buf_printf(out, " --%s %s", option->string, now.text);
    buf_free(&now);
}
