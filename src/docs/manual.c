/* manual.c - text as roff, the pages of commands, and the tables that other pages insert. */
#include "docs/docs.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "model/network_options.h"
#include "text/tokenizer/tokenizer.h"

#include <ctype.h>
#include <string.h>

/* ---- Text as roff ---- */

/* See groff_char(7), which mandoc follows. */
static void add_character(char c, Buf *out)
{
    static const char special[] = "\\-'`^~";
    static const char *const escapes[] = { "\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti" };
    const char *found = c ? strchr(special, c) : NULL;
    if (found) buf_puts(out, escapes[found - special]);
    else buf_putc(out, c);
}

/* A line that begins with one of these would be a request. */
static void guard(const char *line, Buf *out)
{
    if (*line == '.' || *line == '\'') buf_puts(out, "\\&");
}

void roff_code(const char *text, Buf *out)
{
    guard(text, out);
    for (; *text; text++) {
        add_character(*text, out);
        if (*text == '\n') guard(text + 1, out);
    }
}

static int is_in_option(char c)
{
    return isalnum((unsigned char)c) || c == '-';
}

/* The length of an option at the start of a word, such as --beam or -o; 0: there is none. */
static size_t option_length(const char *at)
{
    const size_t dashes = strspn(at, "-");
    size_t length = dashes;
    if (dashes < 1 || dashes > 2 || !isalpha((unsigned char)at[dashes])) return 0;
    while (is_in_option(at[length])) length++;
    return length;
}

void roff_text(const char *text, Buf *out)
{
    guard(text, out);
    for (const char *at = text; *at;) {
        const size_t option = at == text || !is_in_option(at[-1]) ? option_length(at) : 0;
        /* a hyphen or an apostrophe of prose */
        const int is_inside = (*at == '-' || *at == '\'') && at > text
                              && isalpha((unsigned char)at[-1]) && isalpha((unsigned char)at[1]);
        if (option) {
            buf_puts(out, "\\fB");
            for (const char *end = at + option; at < end; at++) add_character(*at, out);
            buf_puts(out, "\\fR");
        } else if (!strncmp(at, "\n\n", 2)) {
            buf_puts(out, "\n.PP\n");
            guard(at += 2, out);
        } else if (is_inside) {
            buf_putc(out, *at++);
        } else {
            add_character(*at++, out);
            if (at[-1] == '\n') guard(at, out);
        }
    }
}

/* Three texts as a line. */
static void add_line(const char *before, const char *text, const char *after, Buf *out)
{
    SCOPED(buf_free) Buf line = { 0 };
    buf_printf(&line, "%s%s%s", before, text, after);
    roff_text(line.text, out);
    buf_putc(out, '\n');
}

/* As a sentence: with a capital, unless it begins with the name of a value, and a full stop. */
static void add_sentence(const char *help, Buf *out)
{
    const size_t word = strcspn(help, " ");
    const int is_name = ispunct((unsigned char)help[word - 1])
                        || strcspn(help, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < word;
    const char first[] = { is_name ? *help : (char)toupper((unsigned char)*help), '\0' };
    add_line(first, help + 1, ".", out);
}

static void add_title(const char *name, size_t length, char section, Buf *out)
{
    buf_puts(out, ".TH ");
    for (size_t i = 0; i < length; i++) add_character((char)toupper((unsigned char)name[i]), out);
    buf_printf(out, " %c %s \"attn %s\"\n", section, ATTN_DATE, ATTN_VERSION);
}

/* ---- The page of a command ---- */

/* "-b, --beam N", what it does, what it accepts, and what it is without the option. */
static void add_option(Option option, Buf *out)
{
    const Field *field = option.field;
    SCOPED(buf_free) Buf name = { 0 }, value = { 0 }, accepts = { 0 }, standard = { 0 };
    buf_puts(out, ".TP\n");
    if (field->letter) buf_printf(out, "\\fB\\-%c\\fR, ", field->letter);
    buf_printf(&name, "--%s", field->name);
    if (field->alias) buf_printf(&name, ", --%s", field->alias);
    if (help_is_negated(option)) buf_printf(&name, ", --no-%s", field->name);
    roff_text(name.text, out);
    help_value_name(field, &value);
    if (value.length) {
        buf_puts(out, " \\fI");
        roff_code(value.text + 1, out);
        buf_puts(out, "\\fR");
    }
    buf_putc(out, '\n');

    add_sentence(field->help, out);
    const int is_text = field->kind == FIELD_TEXT || field->kind == FIELD_TEXTS;
    help_accepts(field, &accepts);
    if (field->kind != FIELD_FLAG && (!is_text || field->choices))
        add_line("It takes ", accepts.text, ".", out);
    help_default(option, &standard);
    if (standard.length) add_line("The default is ", standard.text, ".", out);
}

void manual_command(const Command *command, Buf *out)
{
    const Description d = command->describe();
    SCOPED(buf_free) Buf name = { 0 };
    buf_printf(&name, "attn-%s", command->name);
    add_title(name.text, name.length, '1', out);
    buf_printf(out, ".SH NAME\nattn\\-%s \\- ", command->name);
    roff_text(command->summary, out);
    buf_puts(out, "\n.SH SYNOPSIS\n.nf\n");
    roff_text(d.text->usage, out);
    buf_puts(out, "\n.fi\n.SH DESCRIPTION\n");
    roff_text(d.text->about, out);
    buf_puts(out, "\n.SH OPTIONS\n");
    for (const OptionSet *set = d.sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++) {
            if (field->group) buf_printf(out, ".SS %s\n", field->group);
            add_option((Option){ field, set->object }, out);
        }
    buf_puts(out, ".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the short help.\n"
                  ".SH EXAMPLES\n.EX\n");
    roff_code(d.text->examples, out);
    buf_puts(out, "\n.EE\n.SH SEE ALSO\n.BR attn (1),\n");
    for (int i = 0; commands[i]; i++)
        if (commands[i] != command) buf_printf(out, ".BR attn\\-%s (1),\n", commands[i]->name);
    buf_puts(out, ".BR attn\\-model (5),\n.BR attn\\-tutorial (7)\n");
}

/* ---- Other pages, and the tables that they insert ---- */

static void insert_commands(Buf *out)
{
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, ".TP\n.BR attn\\-%s (1)\n", commands[i]->name);
        add_sentence(commands[i]->summary, out);
    }
}

/* The members of a JSON object, and their values where the object lacks them. */
static void insert_fields(const Field *fields, const void *missing, Buf *out)
{
    for (const Field *field = fields; field->name; field++) {
        Field final = *field;
        SCOPED(buf_free) Buf accepts = { 0 }, value = { 0 };
        final.automatic = 0;            /* settled before a model is written */
        field_accepts(&final, 1, &accepts);
        field_print(&final, missing, &value);
        const char *text = value.text ? value.text : "";
        if (field->kind == FIELD_FLAG) text = strcmp(text, "on") ? "false" : "true";
        buf_puts(out, ".TP\n.B \"");
        roff_code(field->name, out);
        buf_puts(out, "\"\n");
        add_sentence(field->help, out);
        add_line("It is ", accepts.text, ";", out);
        add_line("if missing ", text, ".", out);
    }
}

int manual_page(const char *path, Buf *out, Err *e)
{
    static const char mark[] = ".\\\" insert ";
    const NetworkOptions network = network_original();
    const TextOptions text = text_defaults();
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *point = strrchr(name, '.');
    Content file;
    if (content_read(&file, path, e)) return -1;
    SCOPED(buf_free) Buf page = { 0 };
    buf_add(&page, file.data, file.size);
    content_free(&file);
    add_title(name, (size_t)(point - name), point[1], out);
    int rc = 0;
    for (const char *line = page.text; *line && !rc;) {
        const size_t length = strcspn(line, "\n");
        const char *table = strncmp(line, mark, strlen(mark)) ? NULL : line + strlen(mark);
        if (!table) buf_add(out, line, length + 1);
        else if (!strncmp(table, "commands\n", 9)) insert_commands(out);
        else if (!strncmp(table, "network\n", 8)) insert_fields(network_fields, &network, out);
        else if (!strncmp(table, "text\n", 5)) insert_fields(text_fields, &text, out);
        else rc = err(e, "%s: there is no table '%.*s' to insert", path,
                      (int)strcspn(table, "\n"), table);
        line += length + (line[length] == '\n');
    }
    return rc;
}
