/* replay.c - passes a target its seeds: all files in tests/fuzz/seeds/NAME, or the files that the
 * arguments name. Reports in TAP.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include "base/buf.h"
#include "base/files/files.h"

#include <dirent.h>
#include <string.h>

/* Passes a copy that is exactly as long as the file, so that a sanitizer sees any read beyond
 * it. */
static void feed(const char *path)
{
    Err e = { "" };
    Content seed;
    if (content_read(&seed, path, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(1);
    }
    uint8_t *bytes = malloc(seed.size ? seed.size : 1);
    require(bytes);
    memcpy(bytes, seed.data, seed.size);
    LLVMFuzzerTestOneInput(bytes, seed.size);
    free(bytes);
    content_free(&seed);
}

/* Prints the name of the seed before the seed runs, in case it crashes the program. */
static void report(int number, const char *path)
{
    printf("# %s\n", path);
    fflush(stdout);
    feed(path);
    printf("ok %d - %s\n", number, path);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_file, alphasort);
    if (count < 0) {
        fprintf(stderr, "%s: cannot be read: run this in the project's root\n", folder);
        return 1;
    }
    printf("1..%d\n", count);
    Buf path = { 0 };
    for (int i = 0; i < count; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, entries[i]->d_name);
        report(i + 1, path.text);
        free(entries[i]);
    }
    buf_free(&path);
    free(entries);
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = strstr(argv[0], "fuzz_");
    if (argc > 1) {
        printf("1..%d\n", argc - 1);
        for (int i = 1; i < argc; i++)
            report(i, argv[i]);
        return 0;
    }
    require(name);
    Buf folder = { 0 };
    buf_printf(&folder, "tests/fuzz/seeds/%s", name + strlen("fuzz_"));
    int failed = replay_folder(folder.text);
    buf_free(&folder);
    return failed;
}
