/* wrap.c - filling lines with words. */
#include "cmd/wrap.h"

#include "text/unicode.h"

#include <string.h>

void wrap_words(const char *text, int column, int indent, int columns, Buf *out)
{
    Buf word = { 0 };
    while (*text) {
        const size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " ");
        buf_clear(&word);
        buf_add(&word, text + blanks, length);
        const int width = unicode_columns(word.text);
        if (column > indent && column + (int)blanks + width > columns) {
            buf_printf(out, "\n%*s", indent, "");
            column = indent;
        } else {
            buf_add(out, text, blanks);
            column += (int)blanks;
        }
        buf_add(out, word.text, word.length);
        column += width;
        text += blanks + length;
    }
    buf_free(&word);
}
