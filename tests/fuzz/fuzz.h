/* fuzz.h - what each target here is: one function that is given any bytes and must come back.
 *
 * tests/fuzz/fuzz_NAME.c is built twice: by `make fuzz` with libFuzzer, which invents the bytes and starts from the
 * files in tests/fuzz/seeds/NAME/; and as a test of each variant with replay.c, which feeds it these files and nothing
 * else. An input that broke something is kept there for good. A new target is a new file and a folder of seeds.
 */
#ifndef ATTN_TESTS_FUZZ_H
#define ATTN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The name is libFuzzer's. Returns 0; the bytes may be overwritten when it returns. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* require - a law: ends the program where it is broken, which the fuzzer and the tests take for a crash. */
#define require(law) ((law) ? (void)0 : broken_law(#law, __FILE__, __LINE__))

static inline void broken_law(const char *law, const char *file, int line)
{
    fprintf(stderr, "%s:%d: the law is broken: %s\n", file, line, law);
    abort();
}

#endif
