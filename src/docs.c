/* docs.c - a program that writes the manual pages and completions, for `make docs`: it is not
 * installed. It reads the tables that attn itself reads, so that they say the same. */
#include "base/error.h"
#include "cmd/commands.h"
#include "docs/completion.h"
#include "docs/manual.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the pages go, below the folder of all shared files. */
#define MANUAL "%s/man/man%c/%s"

static void write_file(const char *path, const Buf *text)
{
    FILE *file = fopen(path, "w");
    if (!file) die("%s: cannot be written: %s", path, strerror(errno));
    fwrite(text->text, 1, text->length, file);
    if (ferror(file) | fclose(file)) die("%s: cannot be written: %s", path, strerror(errno));
}

static void write_commands(const char *folder)
{
    for (int i = 0; commands[i]; i++) {
        Buf page = { 0 }, path = { 0 }, name = { 0 };
        buf_printf(&name, "attn-%s.1", commands[i]->name);
        buf_printf(&path, MANUAL, folder, '1', name.text);
        manual_command(commands[i], &page);
        write_file(path.text, &page);
        buf_free(&page);
        buf_free(&path);
        buf_free(&name);
    }
}

static void write_page(const char *folder, const char *source)
{
    Err e;
    Buf page = { 0 }, path = { 0 };
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    if (manual_page(source, &page, &e)) die("%s", e.text);
    buf_printf(&path, MANUAL, folder, name[strlen(name) - 1], name);
    write_file(path.text, &page);
    buf_free(&page);
    buf_free(&path);
}

static void write_completions(const char *folder)
{
    const struct { void (*add)(Buf *out); const char *path; } shells[] = {
        { completion_bash, "bash-completion/completions/attn" },
        { completion_zsh, "zsh/site-functions/_attn" },
        { completion_fish, "fish/vendor_completions.d/attn.fish" },
    };
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        Buf script = { 0 }, path = { 0 };
        buf_printf(&path, "%s/%s", folder, shells[i].path);
        shells[i].add(&script);
        write_file(path.text, &script);
        buf_free(&script);
        buf_free(&path);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: docs FOLDER [PAGE...]\n", stderr);
        return EXIT_USAGE;
    }
    unsetenv("ATTN_MODEL");             /* a default of the tables */
    write_commands(argv[1]);
    write_completions(argv[1]);
    for (int i = 2; i < argc; i++) write_page(argv[1], argv[i]);
    return EXIT_OK;
}
