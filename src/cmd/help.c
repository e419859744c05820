/* help.c - options laid out for a terminal of 80 columns. */
#include "cmd/help.h"

#include "base/printable.h"
#include "cmd/wrap.h"

#include <ctype.h>
#include <string.h>

enum { PAGE = 80, HELP_COLUMN = 26, EXAMPLES = 4 };

/* ---- One option in words ---- */

static int is_optional(const Field *field)
{
    return field->kind == FIELD_TEXT && field->choices;
}

void help_value_name(const Field *field, Buf *out)
{
    const char *open = is_optional(field) ? "[" : "", *close = is_optional(field) ? "]" : "";
    if (field->value) buf_printf(out, " %s%s%s", open, field->value, close);
    for (int i = 0; !field->value && field->kind == FIELD_CHOICE && field->choices[i]; i++)
        buf_printf(out, "%c%s", i ? '|' : ' ', field->choices[i]);
}

static int is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '-';
}

/* Whether the text holds this word, not only as a part of another. */
static int has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_in_word(at[-1])) && !is_in_word(at[strlen(word)])) return 1;
    return 0;
}

/* "; one of additive, dot": the words that the option takes, unless the help explains all of
 * them. */
static void list_words(const Field *field, Buf *out)
{
    int explained = 0, count = 0;
    if (field->kind != FIELD_CHOICE || !field->value) return;
    for (; field->choices[count]; count++)
        explained += has_word(field->help, field->choices[count]);
    if (explained == count) return;
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%s", i ? ", " : "; one of ", field->choices[i]);
    if (field->automatic) buf_puts(out, ", auto");
}

void help_summary(const Field *field, Buf *out)
{
    buf_puts(out, field->help);
    list_words(field, out);
    if (field->alias) buf_printf(out, "; also --%s", field->alias);
}

void help_default(Option option, Buf *out)
{
    Buf value = { 0 };
    buf_clear(&value);
    field_print(option.field, option.object, &value);
    const int is_off = option.field->kind == FIELD_FLAG && !strcmp(value.text, "off");
    make_printable(value.text);     /* a default may come from the environment */
    if (!is_off) buf_puts(out, value.text);
    buf_free(&value);
}

int help_is_negated(Option option)
{
    const Field *field = option.field;
    return field->kind == FIELD_FLAG && *(const int *)((const char *)option.object + field->offset);
}

static int is_text(const Field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_TEXTS;
}

static void add_endings(const Field *field, Buf *out)
{
    for (int i = 0; field->choices && field->choices[i]; i++)
        buf_printf(out, "%s%s", i ? ", " : " that ends in ", field->choices[i]);
    if (field->choices) buf_puts(out, "; or nothing");
}

void help_accepts(const Field *field, Buf *out)
{
    if (!is_text(field)) {
        field_accepts(field, out);
        return;
    }
    const int is_file = !strcmp(field->value, "FILE") || !strcmp(field->value, "MODEL");
    buf_puts(out, is_file ? "the name of a file" : "a text");
    add_endings(field, out);
    if (field->kind == FIELD_TEXTS) buf_printf(out, ", at most %d times", TEXT_LIST_MOST);
}

void help_related(const OptionSet *sets, const Field *field, Buf *out)
{
    int count = 0;
    for (const char *at = field->related; at && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (options_find(sets, at, length).field)
            buf_printf(out, "%s--%.*s", count++ ? ", " : "", (int)length, at);
        at += length;
    }
}

/* ---- The help of a command ---- */

static void print_row(FILE *out, const char *option, const char *help)
{
    int column = fprintf(out, "%s", option);
    if (column < HELP_COLUMN - 1) fprintf(out, "%*s", HELP_COLUMN - column, "");
    else fprintf(out, "\n%*s", HELP_COLUMN, "");
    Buf lines = { 0 };
    wrap_words(help, HELP_COLUMN, HELP_COLUMN, PAGE, &lines);
    fprintf(out, "%s\n", lines.text);
    buf_free(&lines);
}

/* "  -b, --beam N" and "hypotheses kept at each step [1]" */
static void print_option(FILE *out, Option option)
{
    const Field *field = option.field;
    Buf name = { 0 }, help = { 0 }, value = { 0 };
    if (field->letter) buf_printf(&name, "  -%c, ", field->letter);
    else buf_puts(&name, "      ");
    buf_printf(&name, "--%s%s", help_is_negated(option) ? "[no-]" : "", field->name);
    help_value_name(field, &name);
    help_summary(field, &help);
    help_default(option, &value);
    if (value.length) buf_printf(&help, " [%s]", value.text);
    print_row(out, name.text, help.text);
    buf_free(&name);
    buf_free(&help);
    buf_free(&value);
}

static void print_options(FILE *out, const OptionSet *sets, HelpAmount amount)
{
    const char *group = NULL, *printed = NULL;
    for (; sets->fields; sets++) {
        for (const Field *field = sets->fields; field->name; field++) {
            if (field->group) group = field->group;
            if (amount == HELP_COMMON && !field->common) continue;
            if (group != printed) fprintf(out, "\n%s:\n", group);
            printed = group;
            print_option(out, (Option){ field, sets->object });
        }
    }
}

static int count_options(const OptionSet *sets, HelpAmount amount)
{
    int count = 0;
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            count += amount == HELP_ALL || field->common;
    return count;
}

static void print_indented(FILE *out, const char *heading, const char *lines, int most)
{
    fprintf(out, "%s:\n", heading);
    for (; *lines && most--; lines += *lines == '\n') {
        int length = (int)strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", length, lines);
        lines += length;
    }
}

static void print_further_help(FILE *out, const OptionSet *sets, const char *command)
{
    const int all = count_options(sets, HELP_ALL);
    fputs("\nHelp:\n", out);
    print_row(out, "  -h, --help", "print the short help");
    fputc('\n', out);
    if (count_options(sets, HELP_COMMON) < all)
        fprintf(out, "attn help %s --all lists all %d options,\n", command, all);
    fprintf(out, "attn help %s OPTION explains one.\n", command);
}

void help_print(FILE *out, const OptionSet *sets, const char *command, const HelpText *text,
                HelpAmount amount)
{
    const char *end = amount == HELP_COMMON ? strstr(text->about, "\n\n") : NULL;
    const size_t length = end ? (size_t)(end - text->about) : strlen(text->about);
    print_indented(out, "Usage", text->usage, PAGE);
    fprintf(out, "\n%.*s\n", (int)length, text->about);
    print_options(out, sets, amount);
    print_further_help(out, sets, command);
    fputc('\n', out);
    print_indented(out, "Examples", text->examples, amount == HELP_COMMON ? EXAMPLES : PAGE);
}

/* ---- One option ---- */

enum { LABEL_COLUMN = 14 };

static void print_labelled(FILE *out, const char *label, const char *text)
{
    Buf lines = { 0 };
    wrap_words(text, LABEL_COLUMN, LABEL_COLUMN, PAGE, &lines);
    fprintf(out, "  %-*s%s\n", LABEL_COLUMN - 2, label, lines.text);
    buf_free(&lines);
}

static void print_heading(FILE *out, const char *command, const Field *field)
{
    Buf value = { 0 };
    buf_clear(&value);
    help_value_name(field, &value);
    fprintf(out, "attn %s --%s%s", command, field->name, value.text);
    if (field->letter) fprintf(out, ", -%c%s", field->letter, value.text);
    if (field->alias) fprintf(out, ", --%s%s", field->alias, value.text);
    if (field->kind == FIELD_FLAG) fprintf(out, ", --no-%s", field->name);
    fputs("\n\n", out);
    buf_free(&value);
}

void help_print_option(FILE *out, const OptionSet *sets, const char *command, Option option)
{
    const Field *field = option.field;
    Buf accepts = { 0 }, value = { 0 }, related = { 0 };
    buf_clear(&value);
    buf_clear(&related);
    print_heading(out, command, field);
    print_labelled(out, "What", field->help);
    print_labelled(out, "Why", field->reason);
    help_accepts(field, &accepts);
    print_labelled(out, "Values", accepts.text);
    help_default(option, &value);
    const char *nothing = field->kind == FIELD_FLAG ? "off" : "none";
    print_labelled(out, "Default", value.length ? value.text : nothing);
    help_related(sets, field, &related);
    if (related.length) print_labelled(out, "Goes with", related.text);
    buf_free(&accepts);
    buf_free(&value);
    buf_free(&related);
}
