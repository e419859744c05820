/* completion.c - a sorted list of words. */
#include "cmd/translate/completion.h"

#include "base/mem.h"
#include "base/printable.h"
#include "text/unicode.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GAP = 2 };

void completion_free(Completion *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->word[i]);
    free(c->word);
    *c = (Completion){ 0 };
}

void completion_offer(Completion *c, const char *word, const char *behind)
{
    Buf whole = { 0 };
    if (strncmp(word, c->begun, strlen(c->begun))) return;
    buf_puts(&whole, word);
    buf_puts(&whole, behind);
    c->word = grow(c->word, &c->capacity, c->count + 1, sizeof *c->word);
    size_t at = c->count++;
    for (; at > 0 && strcmp(c->word[at - 1], whole.text) > 0; at--)
        c->word[at] = c->word[at - 1];
    c->word[at] = whole.text;
}

/* ---- Files ---- */

static int is_showable(const char *name)
{
    if (!unicode_valid(name, strlen(name))) return 0;
    while (*name && !unprintable(name))
        name++;
    return !*name;
}

static int is_folder(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static void offer_file(Completion *c, const Buf *folder, const char *name)
{
    const int hidden = *name == '.' && c->begun[folder->length] != '.';
    if (hidden || !strcmp(name, ".") || !strcmp(name, "..") || !is_showable(name)) return;
    Buf path = { 0 };
    buf_add(&path, folder->text, folder->length);
    buf_puts(&path, name);
    completion_offer(c, path.text, is_folder(path.text) ? "/" : "");
    buf_free(&path);
}

void completion_offer_files(Completion *c)
{
    const char *slash = strrchr(c->begun, '/');
    Buf folder = { 0 };
    buf_add(&folder, c->begun, slash ? (size_t)(slash + 1 - c->begun) : 0);
    DIR *list = opendir(slash ? folder.text : ".");
    for (struct dirent *entry; list && (entry = readdir(list));)
        offer_file(c, &folder, entry->d_name);
    if (list) closedir(list);
    buf_free(&folder);
}

/* ---- Results ---- */

/* The length of their common beginning, in whole characters of valid UTF-8. */
static size_t common(const char *a, const char *b, size_t most)
{
    size_t length = 0;
    while (length < most && a[length] == b[length])
        length++;
    while (length > 0 && ((unsigned char)a[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* The words are sorted: what the first and the last share, all share. */
void completion_rest(const Completion *c, Buf *out)
{
    const size_t typed = strlen(c->begun);
    if (!c->count) return;
    const char *first = c->word[0];
    buf_add(out, first + typed, common(first, c->word[c->count - 1], strlen(first)) - typed);
}

/* The part after the last '/' that is not at the end. */
static const char *last_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' && path[1]) name = path + 1;
    return name;
}

void completion_list(const Completion *c, int columns, Buf *out)
{
    int used = 0;
    for (size_t i = 0; i < c->count; i++) {
        Buf name = { 0 };
        buf_puts(&name, last_name(c->word[i]));
        name.text[unicode_trimmed(name.text, name.length)] = '\0';
        const int width = unicode_columns(name.text), fits = i && used + GAP + width <= columns;
        if (fits) buf_printf(out, "%*s", GAP, "");
        else if (i) buf_putc(out, '\n');
        used = fits ? used + GAP + width : width;
        buf_puts(out, name.text);
        buf_free(&name);
    }
    buf_putc(out, '\n');
}
