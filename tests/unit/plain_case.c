/* plain_case.c - see plain_case.h. */
#include "plain_case.h"

#include "test.h"

Content segmenter_file(const char *name)
{
    Err e;
    Content file;
    Buf path = { 0 };
    buf_printf(&path, "tests/data/sentencepiece/%s.spm", name);
    if (content_read(&file, path.text, &e)) fail_msg("%s (run from the top of the project)", e.text);
    buf_free(&path);
    return file;
}

SentencePiece *segmenter_case(const char *name)
{
    Err e;
    Content file = segmenter_file(name);
    SentencePiece *s = sentencepiece_new(file.data, file.size, &e);
    if (!s) fail_msg("%s: %s", name, e.text);
    content_free(&file);
    return s;
}

Tokenizer *plain_case(const char *name, const char *const *piece, size_t count)
{
    Err e;
    TextOptions options = text_defaults();
    options.tokens = TOKENS_SENTENCEPIECE;
    options.shared = 1;
    SentencePiece *s = segmenter_case(name);
    Tokenizer *t = piece ? tokenizer_of_pieces(&options, s, piece, count, &e) : tokenizer_of_segmenter(&options, s, &e);
    if (!t) fail_msg("%s: %s", name, e.text);
    return t;
}
