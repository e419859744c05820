/* docs.c - a program that writes the manual pages and completions, for `make docs`: it is not
 * installed. It reads the tables that attn itself reads, so that they say the same. */
#include "base/strings.h"
#include "cmd/cmd.h"
#include "docs/docs.h"

#include <errno.h>
#include <stdlib.h>

/* Writes the file, whose name is formatted, and releases the text. */
static void write_file(Buf *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_file(Buf *text, const char *format, ...)
{
    Buf path = { 0 };
    va_list args;
    va_start(args, format);
    buf_vprintf(&path, format, args);
    va_end(args);
    FILE *file = fopen(path.text, "w");
    if (!file) die("%s: cannot be written: %s", path.text, strerror(errno));
    fwrite(text->text, 1, text->length, file);
    if (ferror(file) | fclose(file)) die("%s: cannot be written: %s", path.text, strerror(errno));
    buf_free(&path);
    buf_free(text);
}

/* A page, or the script of a shell, by the ending of its name. */
static void write_source(const char *folder, const char *source)
{
    static const struct { const char *ending, *path; } shells[] = {
        { ".bash", "bash-completion/completions/attn" },
        { ".zsh", "zsh/site-functions/_attn" },
        { ".fish", "fish/vendor_completions.d/attn.fish" },
    };
    Err e;
    Buf text = { 0 };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (!ends_with(source, shells[i].ending)) continue;
        if (completion_script(source, &text, &e)) die("%s", e.text);
        write_file(&text, "%s/%s", folder, shells[i].path);
        return;
    }
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    if (manual_page(source, &text, &e)) die("%s", e.text);
    write_file(&text, "%s/man/man%c/%s", folder, name[strlen(name) - 1], name);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: docs FOLDER [PAGE|SCRIPT...]\n", stderr);
        return EXIT_USAGE;
    }
    unsetenv("ATTN_MODEL");             /* a default of the tables */
    for (int i = 0; commands[i]; i++) {
        Buf page = { 0 };
        manual_command(commands[i], &page);
        write_file(&page, "%s/man/man1/attn-%s.1", argv[1], commands[i]->name);
    }
    for (int i = 2; i < argc; i++) write_source(argv[1], argv[i]);
    return EXIT_OK;
}
