/* values.c - kinds of values by the rows of the tables. */
#include "docs/values.h"

#include "cmd/help.h"

#include <string.h>

Values values_of(const Field *field)
{
    const int is_text = field->kind == FIELD_TEXT || field->kind == FIELD_TEXTS;
    if (field->kind == FIELD_FLAG) return VALUES_NONE;
    if (field->kind == FIELD_CHOICE || field->automatic) return VALUES_WORDS;
    if (is_text && !strcmp(field->value, "FILE")) return VALUES_FILE;
    if (is_text && !strcmp(field->value, "MODEL")) return VALUES_MODEL;
    return VALUES_FREE;
}

Values values_of_operands(const HelpText *text)
{
    if (!strcmp(text->operand, "MODEL")) return VALUES_MODEL;
    if (!strcmp(text->operand, "COMMAND")) return VALUES_COMMAND;
    return VALUES_FILE;
}

void values_words(const Field *field, Buf *out)
{
    for (int i = 0; field->kind == FIELD_CHOICE && field->choices[i]; i++)
        buf_printf(out, "%s%s", i ? " " : "", field->choices[i]);
    if (field->automatic) buf_puts(out, out->length ? " auto" : "auto");
}

int values_are_optional(const Field *field)
{
    return field->kind == FIELD_TEXT && field->choices;
}

/* The first clause of the help; all of it where that only names a value ("deep: ..."). */
void values_about(const char *help, Buf *out)
{
    enum { MOST = 60 };
    size_t length = strcspn(help, ";:(");
    if (!memchr(help, ' ', length)) length = strlen(help);
    if (length > MOST) {
        for (length = MOST; help[length] != ' ';) length--;
    }
    while (length && help[length - 1] == ' ') length--;
    for (size_t i = 0; i < length; i++)
        if (!strchr("'\"`[]:\\$", help[i])) buf_putc(out, help[i]);
}

void values_options(const OptionSet *sets, Buf *out)
{
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++) {
            buf_printf(out, "--%s ", field->name);
            if (help_is_negated((Option){ field, sets->object }))
                buf_printf(out, "--no-%s ", field->name);
        }
    buf_puts(out, "--help");
}
