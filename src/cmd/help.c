/* help.c - options in words, laid out for a terminal of 80 columns. */
#include "cmd/help.h"

#include "base/mem.h"
#include "base/strings.h"
#include "text/unicode.h"

#include <string.h>

enum { PAGE = 80, HELP_COLUMN = 26, LABEL_COLUMN = 14, EXAMPLES = 4 };

void wrap_words(const char *text, int column, int indent, int columns, Buf *out)
{
    SCOPED(buf_free) Buf word = { 0 };
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
}

/* ---- One option in words ---- */

int help_is_optional(const Field *field)
{
    return field->kind == FIELD_TEXT && field->choices;
}

int help_is_negated(Option option)
{
    const Field *field = option.field;
    return field->kind == FIELD_FLAG && *(const int *)((const char *)option.object + field->offset);
}

void help_value_name(const Field *field, Buf *out)
{
    if (field->value) buf_printf(out, help_is_optional(field) ? " [%s]" : " %s", field->value);
    for (int i = 0; !field->value && field->kind == FIELD_CHOICE && field->choices[i]; i++)
        buf_printf(out, "%c%s", i ? '|' : ' ', field->choices[i]);
}

void help_default(Option option, Buf *out)
{
    SCOPED(buf_free) Buf value = { 0 };
    buf_clear(&value);
    field_print(option.field, option.object, &value);
    const int is_off = option.field->kind == FIELD_FLAG && !strcmp(value.text, "off");
    make_printable(value.text);     /* a default may come from the environment */
    if (!is_off) buf_puts(out, value.text);
}

void help_accepts(const Field *field, Buf *out)
{
    if (field->kind != FIELD_TEXT && field->kind != FIELD_TEXTS) {
        field_accepts(field, 0, out);
        return;
    }
    const int is_file = !strcmp(field->value, "FILE") || !strcmp(field->value, "MODEL");
    buf_puts(out, is_file ? "the name of a file" : "a text");
    for (int i = 0; field->choices && field->choices[i]; i++)
        buf_printf(out, "%s%s", i ? ", " : " that ends in ", field->choices[i]);
    if (field->choices) buf_puts(out, "; or nothing");
    if (field->kind == FIELD_TEXTS) buf_printf(out, ", at most %d times", TEXT_LIST_MOST);
}

/* ---- The help of a command ---- */

/* "; one of additive, dot": the words that the option takes, unless its help explains them, the
 * first one and so all. */
static void list_words(const Field *field, Buf *out)
{
    if (field->kind != FIELD_CHOICE || !field->value || strstr(field->help, field->choices[0]))
        return;
    for (int i = 0; field->choices[i]; i++)
        buf_printf(out, "%s%s", i ? ", " : "; one of ", field->choices[i]);
    if (field->automatic) buf_puts(out, ", auto");
}

/* An option of so many bytes, all ASCII, was written: its help follows in a column of its own. */
static void add_help(size_t bytes, const char *help, Buf *out)
{
    const int column = (int)bytes;
    if (column < HELP_COLUMN - 1) buf_printf(out, "%*s", HELP_COLUMN - column, "");
    else buf_printf(out, "\n%*s", HELP_COLUMN, "");
    wrap_words(help, HELP_COLUMN, HELP_COLUMN, PAGE, out);
    buf_putc(out, '\n');
}

/* "  -b, --beam N" and "hypotheses kept at each step [1]" */
static void add_option(Option option, Buf *out)
{
    const Field *field = option.field;
    const size_t start = out->length;
    SCOPED(buf_free) Buf help = { 0 }, value = { 0 };
    if (field->letter) buf_printf(out, "  -%c, ", field->letter);
    else buf_puts(out, "      ");
    buf_printf(out, "--%s%s", help_is_negated(option) ? "[no-]" : "", field->name);
    help_value_name(field, out);
    buf_puts(&help, field->help);
    list_words(field, &help);
    if (field->alias) buf_printf(&help, "; also --%s", field->alias);
    help_default(option, &value);
    if (value.length) buf_printf(&help, " [%s]", value.text);
    add_help(out->length - start, help.text, out);
}

/* Text in lines, of which at most so many are taken. */
static void add_indented(const char *heading, const char *lines, int most, Buf *out)
{
    buf_printf(out, "%s:\n", heading);
    for (; *lines && most--; lines += *lines == '\n') {
        const int length = (int)strcspn(lines, "\n");
        buf_printf(out, "  %.*s\n", length, lines);
        lines += length;
    }
}

void help_command(const OptionSet *sets, const char *command, const HelpText *text, int all,
                  Buf *out)
{
    const char *end = all ? NULL : strstr(text->about, "\n\n");
    const char *group = NULL, *written = NULL;
    int count = 0, common = 0;
    add_indented("Usage", text->usage, PAGE, out);
    buf_puts(out, "\n");
    buf_add(out, text->about, end ? (size_t)(end - text->about) : strlen(text->about));
    buf_puts(out, "\n");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++, count++) {
            if (field->group) group = field->group;
            common += field->common;
            if (!all && !field->common) continue;
            if (group != written) buf_printf(out, "\n%s:\n", group);
            written = group;
            add_option((Option){ field, set->object }, out);
        }
    static const char help[] = "  -h, --help";
    buf_printf(out, "\nHelp:\n%s", help);
    add_help(strlen(help), "print the short help", out);
    buf_puts(out, "\n");
    if (common < count)
        buf_printf(out, "attn help %s --all lists all %d options,\n", command, count);
    buf_printf(out, "attn help %s OPTION explains one.\n\n", command);
    add_indented("Examples", text->examples, all ? PAGE : EXAMPLES, out);
}

/* ---- One option ---- */

static void add_labelled(const char *label, const char *text, Buf *out)
{
    buf_printf(out, "  %-*s", LABEL_COLUMN - 2, label);
    wrap_words(text, LABEL_COLUMN, LABEL_COLUMN, PAGE, out);
    buf_putc(out, '\n');
}

void help_option(const char *command, Option option, Buf *out)
{
    const Field *field = option.field;
    const char *nothing = field->kind == FIELD_FLAG ? "off" : "none";
    SCOPED(buf_free) Buf name = { 0 }, accepts = { 0 }, value = { 0 };
    buf_clear(&name);
    help_value_name(field, &name);
    buf_printf(out, "attn %s --%s%s", command, field->name, name.text);
    if (field->letter) buf_printf(out, ", -%c%s", field->letter, name.text);
    if (field->alias) buf_printf(out, ", --%s%s", field->alias, name.text);
    if (field->kind == FIELD_FLAG) buf_printf(out, ", --no-%s", field->name);
    buf_puts(out, "\n\n");

    add_labelled("What", field->help, out);
    help_accepts(field, &accepts);
    add_labelled("Values", accepts.text, out);
    help_default(option, &value);
    add_labelled("Default", value.length ? value.text : nothing, out);
}
