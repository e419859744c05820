/* saved_request.c - options and names of files as JSON. */
#include "cmd/train/config.h"

#include "base/mem.h"
#include "train/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name)) names++;
    return *names != NULL;
}

/* Only these options of the command itself are saved, and all of the other tables. */
static const char *const saved_own[] = { "valid", "log", "log-every", "curves", "save-every",
                                         "memory", "exchange", "init", "replay", NULL };

/* Of these the value is the name of a file. */
static const char *const names_files[] = { "valid", "log", "curves", "init", "replay", NULL };

/* ---- Writing ---- */

char *saved_request_text(const OptionSet *sets, const char *command, const BitextFiles *files,
                         int workers)
{
    char folder[PATH_MAX];
    Buf value = { 0 };
    cJSON *json = cJSON_CreateObject();
    json_add_bytes(json, "command", command);
    json_add_bytes(json, "folder", getcwd(folder, sizeof folder) ? folder : ".");
    cJSON *names = cJSON_AddArrayToObject(json, "files");
    for (int i = 0; i < files->count; i++)
        cJSON_AddItemToArray(names, json_bytes(files->name[i]));
    cJSON_AddNumberToObject(json, "workers", workers);
    cJSON *options = cJSON_AddObjectToObject(json, "options");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++) {
            if (set == sets && !is_one_of(saved_own, field->name)) continue;
            buf_clear(&value);
            field_print(field, set->object, &value);
            if (field->kind != FIELD_TEXT || value.length)
                json_add_bytes(options, field->name, value.text);
        }
    char *text = json_text(json, 0);
    cJSON_Delete(json);
    buf_free(&value);
    return text;
}

/* ---- Reading ---- */

/* Makes a relative name one of the folder of the first run. */
static void move_name(cJSON *name, const char *folder)
{
    Buf moved = { 0 };
    if (!cJSON_IsString(name) || *name->valuestring == '/' || !strcmp(name->valuestring, "-"))
        return;
    buf_printf(&moved, "%s/%s", folder, name->valuestring);
    cJSON_SetValuestring(name, moved.text);
    buf_free(&moved);
}

static int read_json(SavedRequest *saved, Err *e)
{
    char here[PATH_MAX];
    const char *folder;
    const cJSON *files, *options;
    cJSON *item;
    if (json_get_string(saved->json, "command", &saved->command, e)
        || json_get_string(saved->json, "folder", &folder, e)
        || json_get_array(saved->json, "files", &files, e)
        || json_get_object(saved->json, "options", &options, e)
        || json_get_int(saved->json, "workers", 1, 1 << 16, &saved->workers, e))
        return -1;
    const int is_elsewhere = !getcwd(here, sizeof here) || strcmp(here, folder);
    cJSON_ArrayForEach(item, options)
        if (is_elsewhere && is_one_of(names_files, item->string)) move_name(item, folder);
    cJSON_ArrayForEach(item, files) {
        if (!cJSON_IsString(item) || saved->files == REQUEST_FILES)
            return err(e, "\"files\" are not names");
        if (is_elsewhere) move_name(item, folder);
        saved->file[saved->files++] = item->valuestring;
    }
    saved->log = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "log"));
    saved->curves = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(options, "curves"));
    return 0;
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

/* The option after `at`; the first one for NULL. */
static const cJSON *next_option(const SavedRequest *saved, const cJSON *at)
{
    return at ? at->next : cJSON_GetObjectItemCaseSensitive(saved->json, "options")->child;
}

int saved_request_apply(const SavedRequest *saved, const OptionSet *sets, Err *e)
{
    Err why;
    for (const cJSON *item = NULL; (item = next_option(saved, item));) {
        const Option option = options_find(sets, item->string, strlen(item->string));
        if (!option.field || !cJSON_IsString(item))
            return err(e, "cannot resume from '%s': \"%s\" is no option", saved->state,
                       item->string);
        if (field_set(option.field, option.object, item->valuestring, &why))
            return err(e, "cannot resume from '%s': %s", saved->state, why.text);
    }
    return 0;
}

/* Whether the option has changed; *now becomes its value. An automatic one has not: the same
 * corpus gives it the same value. */
static int is_changed(const OptionSet *sets, const cJSON *item, Buf *now)
{
    const Option option = options_find(sets, item->string, strlen(item->string));
    buf_clear(now);
    field_print(option.field, option.object, now);
    return strcmp(now->text, item->valuestring) && strcmp(now->text, "auto");
}

int saved_request_compare(const SavedRequest *saved, const OptionSet *sets, Err *e)
{
    Err why;
    int rc = 0;
    Buf now = { 0 };
    for (const cJSON *item = NULL; !rc && (item = next_option(saved, item));)
        if (!is_one_of(saved_own, item->string) && !state_may_differ(item->string)
            && is_changed(sets, item, &now))
            rc = state_refuse(item->string, item->valuestring, now.text, &why);
    buf_free(&now);
    return rc ? err(e, "cannot resume from '%s': %s", saved->state, why.text) : 0;
}

void saved_request_command(const SavedRequest *saved, const OptionSet *sets, Buf *out)
{
    Buf now = { 0 };
    buf_puts(out, saved->command);
    for (const cJSON *item = NULL; (item = next_option(saved, item));)
        if (state_may_differ(item->string) && is_changed(sets, item, &now))
            buf_printf(out, " --%s %s", item->string, now.text);
    buf_free(&now);
}
