/* manual.c - the pages of commands, and the tables that other pages insert. */
#include "docs/manual.h"

#include "base/files/content.h"
#include "base/version.h"
#include "cmd/commands.h"
#include "cmd/help.h"
#include "docs/roff.h"
#include "model/network_options.h"
#include "text/tokenizer/tokenizer.h"

#include <ctype.h>
#include <string.h>

static void add_title(const char *name, size_t length, char section, Buf *out)
{
    buf_puts(out, ".TH ");
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '-') buf_putc(out, '\\');
        buf_putc(out, (char)toupper((unsigned char)name[i]));
    }
    buf_printf(out, " %c %s \"attn %s\"\n", section, ATTN_DATE, ATTN_VERSION);
}

/* ---- Options ---- */

/* As a sentence: with a capital, unless it begins with the name of a value, and a full stop. */
static void add_sentence(const char *help, Buf *out)
{
    Buf text = { 0 };
    buf_puts(&text, help);
    const size_t word = strcspn(help, " ");
    const int is_name = ispunct((unsigned char)help[word - 1]);
    if (!is_name && strcspn(help, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") >= word)
        text.text[0] = (char)toupper((unsigned char)*help);
    roff_text(text.text, out);
    buf_puts(out, ".\n");
    buf_free(&text);
}

static void add_plain(const char *before, const char *text, const char *after, Buf *out)
{
    Buf line = { 0 };
    buf_printf(&line, "%s%s%s", before, text, after);
    roff_text(line.text, out);
    buf_putc(out, '\n');
    buf_free(&line);
}

/* "-b, --beam N" */
static void add_heading(Option option, Buf *out)
{
    const Field *field = option.field;
    Buf value = { 0 };
    buf_clear(&value);
    help_value_name(field, &value);
    buf_puts(out, ".TP\n");
    if (field->letter) buf_printf(out, "\\fB\\-%c\\fR, ", field->letter);
    Buf name = { 0 };
    buf_printf(&name, "--%s", field->name);
    if (field->alias) buf_printf(&name, ", --%s", field->alias);
    if (help_is_negated(option)) buf_printf(&name, ", --no-%s", field->name);
    roff_text(name.text, out);
    if (value.length) {
        buf_puts(out, " \\fI");
        roff_code(value.text + 1, out);
        buf_puts(out, "\\fR");
    }
    buf_putc(out, '\n');
    buf_free(&name);
    buf_free(&value);
}

/* Whether what it accepts is more than its value's name says. */
static int is_narrow(const Field *field)
{
    const int is_text = field->kind == FIELD_TEXT || field->kind == FIELD_TEXTS;
    return field->kind != FIELD_FLAG && (!is_text || field->choices);
}

/* What it accepts, and what it is without the option. */
static void add_values(Option option, Buf *out)
{
    Buf accepts = { 0 }, value = { 0 };
    help_accepts(option.field, &accepts);
    help_default(option, &value);
    if (is_narrow(option.field)) add_plain("It takes ", accepts.text, ".", out);
    if (value.length) add_plain("The default is ", value.text, ".", out);
    buf_free(&accepts);
    buf_free(&value);
}

static void add_option(const OptionSet *sets, Option option, Buf *out)
{
    Buf related = { 0 };
    add_heading(option, out);
    add_sentence(option.field->help, out);
    add_plain("", option.field->reason, "", out);
    add_values(option, out);
    help_related(sets, option.field, &related);
    if (related.length) add_plain("It goes with ", related.text, ".", out);
    buf_free(&related);
}

static void add_options(const OptionSet *sets, Buf *out)
{
    buf_puts(out, ".SH OPTIONS\n");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++) {
            if (field->group) buf_printf(out, ".SS %s\n", field->group);
            add_option(sets, (Option){ field, set->object }, out);
        }
    buf_puts(out, ".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the short help.\n");
}

/* ---- The page of a command ---- */

static void add_synopsis(const char *usage, Buf *out)
{
    buf_puts(out, ".SH SYNOPSIS\n.nf\n");
    roff_text(usage, out);
    buf_puts(out, "\n.fi\n");
}

static void add_references(const Command *command, Buf *out)
{
    buf_puts(out, ".SH SEE ALSO\n.BR attn (1),\n");
    for (int i = 0; commands[i]; i++)
        if (commands[i] != command) buf_printf(out, ".BR attn\\-%s (1),\n", commands[i]->name);
    buf_puts(out, ".BR attn\\-model (5),\n.BR attn\\-tutorial (7)\n");
}

static void add_sections(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    Buf *out = context;
    add_synopsis(text->usage, out);
    buf_puts(out, ".SH DESCRIPTION\n");
    roff_text(text->about, out);
    buf_putc(out, '\n');
    add_options(sets, out);
    buf_puts(out, ".SH EXAMPLES\n.EX\n");
    roff_code(text->examples, out);
    buf_puts(out, "\n.EE\n");
}

void manual_command(const Command *command, Buf *out)
{
    Buf name = { 0 };
    buf_printf(&name, "attn-%s", command->name);
    add_title(name.text, name.length, '1', out);
    buf_printf(out, ".SH NAME\nattn\\-%s \\- ", command->name);
    roff_text(command->summary, out);
    buf_putc(out, '\n');
    add_sections(command->describe(), out);
    add_references(command, out);
    buf_free(&name);
}

/* ---- What other pages insert ---- */

static void insert_commands(Buf *out)
{
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, ".TP\n.BR attn\\-%s (1)\n", commands[i]->name);
        add_sentence(commands[i]->summary, out);
    }
}

static void add_json_value(const Field *field, const void *object, Buf *out)
{
    const int *flag = (const int *)((const char *)object + field->offset);
    if (field->kind == FIELD_FLAG) buf_puts(out, *flag ? "true" : "false");
    else field_print(field, object, out);
}

/* The members of a JSON object, and their values where the object lacks them. */
static void insert_fields(const Field *fields, const void *missing, Buf *out)
{
    for (const Field *field = fields; field->name; field++) {
        Field final = *field;
        Buf accepts = { 0 }, value = { 0 };
        final.automatic = 0;            /* settled before a model is written */
        field_accepts_in_json(&final, &accepts);
        add_json_value(&final, missing, &value);
        buf_puts(out, ".TP\n.B \"");
        roff_code(field->name, out);
        buf_puts(out, "\"\n");
        add_sentence(field->help, out);
        add_plain("It is ", accepts.text, ";", out);
        add_plain("if missing ", value.text, ".", out);
        buf_free(&accepts);
        buf_free(&value);
    }
}

static int insert(const char *name, size_t length, Buf *out, Err *e)
{
    const NetworkOptions network = network_original();
    const TextOptions text = text_defaults();
    Buf word = { 0 };
    int rc = 0;
    buf_add(&word, name, length);
    if (!strcmp(word.text, "commands")) insert_commands(out);
    else if (!strcmp(word.text, "network")) insert_fields(network_fields, &network, out);
    else if (!strcmp(word.text, "text")) insert_fields(text_fields, &text, out);
    else rc = err(e, "there is no table '%s' to insert", word.text);
    buf_free(&word);
    return rc;
}

/* ---- The other pages ---- */

static int add_lines(const char *text, size_t size, Buf *out, Err *e)
{
    static const char mark[] = ".\\\" insert ";
    const size_t length = sizeof mark - 1;
    for (const char *end = text + size, *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t bytes = stop ? (size_t)(stop - line) : (size_t)(end - line);
        const int inserts = bytes > length && !memcmp(line, mark, length);
        if (inserts && insert(line + length, bytes - length, out, e)) return -1;
        if (!inserts) {
            roff_line(line, bytes, out);
            buf_putc(out, '\n');
        }
        line += bytes + 1;
    }
    return 0;
}

int manual_page(const char *path, Buf *out, Err *e)
{
    Content file;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *point = strrchr(name, '.');
    if (!point || !point[1]) return err(e, "%s: the name ends in no section, such as .1", path);
    if (content_read(&file, path, e)) return -1;
    Err why;
    add_title(name, (size_t)(point - name), point[1], out);
    const int rc = add_lines(file.data, file.size, out, &why);
    content_free(&file);
    return rc ? err(e, "%s: %s", path, why.text) : 0;
}
