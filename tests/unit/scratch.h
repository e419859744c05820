/* scratch.h - a folder for each test, removed afterwards. A test is TEST_IN_SCRATCH(name), or
 * in_scratch(name) in the list of a cmocka group, and *state is the test's Scratch. Includes the
 * headers that a test of files needs. */
#ifndef ATTN_TESTS_SCRATCH_H
#define ATTN_TESTS_SCRATCH_H

#include "base/files/files.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH_PATHS = 8 };

typedef struct {
    char  folder[64];
    char *path[SCRATCH_PATHS];          /* the last ones that scratch_path returned */
    int   next;
} Scratch;

#define TEST_IN_SCRATCH(name) UNIT_TEST_WITH(scratch_setup, scratch_teardown, name)
#define in_scratch(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)
int scratch_setup(void **state);
int scratch_teardown(void **state);

/* scratch_path - the path of a name in the folder; the last SCRATCH_PATHS of them are valid. */
const char *scratch_path(Scratch *s, const char *name);

/* scratch_write, scratch_puts - a file of these bytes, of this text; its path. */
const char *scratch_write(Scratch *s, const char *name, const char *bytes, size_t length);
const char *scratch_puts(Scratch *s, const char *name, const char *text);

int scratch_files(const Scratch *s);    /* how many there are */

/* read_file - all of any file, which must be there; for content_free.
 * exists - whether there is such a file or folder, anywhere. */
Content read_file(const char *path);
int     exists(const char *path);

#endif
