/* completion.c - the tables of all commands as text, which the script of each shell reads.
 *
 * A line is COMMAND:NAMES:KIND:VALUES:ABOUT. NAMES are those of an option ("--beam -b"), a blank
 * between two; none: the line is about the command and its operands. KIND says what completes the
 * value:
 *
 *     flag        there is none
 *     words       one of VALUES, a blank between two
 *     file        a file; with VALUES ("svg|png") one that ends in one of them
 *     model       a model file
 *     command     of operands: a command, and then one of its options
 *     free        a number, a time, a text: nothing
 *
 * with '?' behind it where the value may lack, '*' where the option may be given again.
 */
#include "docs/docs.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "cmd/cmd.h"

#include <string.h>

/* The first clause of the help; all of it where that only names a value ("deep: ..."). Without what
 * a shell could take for its own. */
static void add_about(const char *help, Buf *out)
{
    enum { MOST = 60 };
    size_t length = strcspn(help, ";:(");
    if (!memchr(help, ' ', length)) length = strlen(help);
    if (length > MOST)
        for (length = MOST; help[length] != ' ';) length--;
    while (length && help[length - 1] == ' ') length--;
    for (size_t i = 0; i < length; i++)
        if (!strchr("'\"`[]:\\$", help[i])) buf_putc(out, help[i]);
    buf_putc(out, '\n');
}

static const char *kind_of(const char *value)
{
    return !strcmp(value, "MODEL") ? "model" : !strcmp(value, "COMMAND") ? "command"
         : !strcmp(value, "FILE") || !strcmp(value, "CORPUS") ? "file" : "free";
}

static void add_values(const Field *field, Buf *out)
{
    const int is_text = field->kind == FIELD_TEXT || field->kind == FIELD_TEXTS;
    const int is_choice = field->kind == FIELD_CHOICE;
    if (field->kind == FIELD_FLAG) {
        buf_puts(out, "flag:");
    } else if (is_choice || field->automatic) {
        buf_puts(out, "words:");
        for (int i = 0; is_choice && field->choices[i]; i++)
            buf_printf(out, "%s%s", i ? " " : "", field->choices[i]);
        if (field->automatic) buf_puts(out, is_choice ? " auto" : "auto");
    } else {
        buf_puts(out, is_text ? kind_of(field->value) : "free");
        buf_puts(out, help_is_optional(field) ? "?:" : field->kind == FIELD_TEXTS ? "*:" : ":");
        for (int i = 0; field->choices && field->choices[i]; i++)
            buf_printf(out, "%s%s", i ? "|" : "", field->choices[i] + 1);
    }
}

static void add_option(const char *command, Option option, Buf *out)
{
    const Field *field = option.field;
    buf_printf(out, "%s:--%s", command, field->name);
    if (field->letter) buf_printf(out, " -%c", field->letter);
    if (help_is_negated(option)) buf_printf(out, " --no-%s", field->name);
    buf_putc(out, ':');
    add_values(field, out);
    buf_putc(out, ':');
    add_about(field->help, out);
}

static void add_tables(Buf *out)
{
    for (int i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        const Description d = commands[i]->describe();
        buf_printf(out, "%s::%s::", name, kind_of(d.text->operand));
        add_about(commands[i]->summary, out);
        for (const OptionSet *set = d.sets; set->fields; set++)
            for (const Field *field = set->fields; field->name; field++)
                add_option(name, (Option){ field, set->object }, out);
        buf_printf(out, "%s:-h --help:flag::print the short help\n", name);
    }
}

int completion_script(const char *path, Buf *out, Err *e)
{
    static const char mark[] = "@TABLE@\n";
    Content file;
    if (content_read(&file, path, e)) return -1;
    SCOPED(buf_free) Buf script = { 0 };
    buf_add(&script, file.data, file.size);
    content_free(&file);
    const char *at = strstr(script.text, mark);
    if (at) {
        buf_add(out, script.text, (size_t)(at - script.text));
        add_tables(out);
        buf_puts(out, at + strlen(mark));
    }
    return at ? 0 : err(e, "%s: has no line @TABLE@", path);
}
