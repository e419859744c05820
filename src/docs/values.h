/* values.h - what a shell can offer after an option. */
#ifndef ATTN_DOCS_VALUES_H
#define ATTN_DOCS_VALUES_H

#include "cmd/help.h"

typedef enum {
    VALUES_NONE,        /* a flag takes no value */
    VALUES_WORDS,       /* one of the words of values_words */
    VALUES_FILE,        /* any file, or one with an ending of field->choices */
    VALUES_MODEL,       /* a file that ends in .safetensors */
    VALUES_COMMAND,     /* of operands: a command, and then one of its options */
    VALUES_FREE         /* a number, a time, a text: nothing to offer */
} Values;

Values values_of(const Field *field);
Values values_of_operands(const HelpText *text);

/* values_words - appends the words, with a blank between two.
 * values_are_optional - whether the option may go without its value.
 * values_about - appends a few words about the option, without quotes and brackets.
 * values_options - appends the long options of a command, "--NAME " each, or "--NAME --no-NAME ". */
void values_words(const Field *field, Buf *out);
int  values_are_optional(const Field *field);
void values_about(const char *help, Buf *out);
void values_options(const OptionSet *sets, Buf *out);

#endif
