/* main.c - the program that all unit tests share (see the Makefile): it is called by a test's name, and calls the main
 * of that test, as the C library would call it. */
#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>

typedef int test_main(int count, char **words);

int main(int count, char **words)
{
    const char *name = basename(words[0]);
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found) {
        fprintf(stderr, "%s: there is no unit test of that name\n", name);
        return 2;
    }
    test_main *test;
    *(void **)&test = found;
    return test(count, words);
}
