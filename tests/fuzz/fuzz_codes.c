/* fuzz_codes.c - any bytes as subword-nmt's codes. They are refused with one message that names the
 * file, or the merges survive writing and reading, and cut a word into parts that add up to it.
 */
#include "nameless.h"

#include "text/tokenizer/bpe.h"

#include <string.h>

static int read_codes(Merges *merges, const void *bytes, size_t length)
{
    Err e = { "" };
    Nameless file = nameless_file(bytes, length);
    *merges = (Merges){ 0 };
    int failed = merges_read(merges, file.path, &e);
    require(!failed == !e.text[0]);
    require(!failed
            || (!strncmp(e.text, file.path, strlen(file.path)) && merges->pairs.count == 0));
    fclose(file.stream);
    return failed;
}

static void check_parts(const Merges *merges)
{
    static const char word[] = "\xE2\x96\x81""abracadabra";
    BpeWord parts = { 0 };
    size_t at = 0;
    bpe_segment(merges, word, strlen(word), NULL, &parts);
    require(parts.count > 0);
    for (size_t i = 0; i < parts.count; i++) {
        require(parts.part[i].end > at);
        at = parts.part[i].end;
    }
    require(at == strlen(word));
    bpe_word_free(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    Merges merges, again;
    Buf written = { 0 }, twice = { 0 };
    if (read_codes(&merges, bytes, length)) return 0;
    merges_write(&merges, &written);
    require(!read_codes(&again, written.text, written.length));
    merges_write(&again, &twice);
    require(written.length == twice.length && !memcmp(written.text, twice.text, written.length));
    require(merges.pairs.count == again.pairs.count && merges.end == again.end);
    check_parts(&merges);
    buf_free(&written);
    buf_free(&twice);
    merges_free(&merges);
    merges_free(&again);
    return 0;
}
