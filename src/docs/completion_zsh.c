/* completion_zsh.c - the arguments of _arguments for each command. */
#include "cmd/commands.h"
#include "cmd/help.h"
#include "docs/completion.h"
#include "docs/values.h"

#include <stdio.h>
#include <string.h>

/* What completes a value, as the last part of a specification. */
static void add_values(const Field *field, Buf *out)
{
    Buf words = { 0 };
    switch (values_of(field)) {
    case VALUES_WORDS:
        values_words(field, &words);
        buf_printf(out, "(%s)", words.text);
        break;
    case VALUES_MODEL:
        buf_puts(out, "_files -g \"*.safetensors\"");
        break;
    case VALUES_FILE:
        buf_puts(out, "_files");
        for (int i = 0; field->choices && field->choices[i]; i++)
            buf_printf(out, "%s%s", i ? "|" : " -g \"*(", field->choices[i]);
        if (field->choices) buf_puts(out, ")\"");
        break;
    default:
        buf_putc(out, ' ');
    }
    buf_free(&words);
}

/* "[about]:value:what completes it" */
static void add_tail(const Field *field, Buf *out)
{
    buf_putc(out, '[');
    values_about(field->help, out);
    buf_putc(out, ']');
    if (values_of(field) == VALUES_NONE) return;
    buf_printf(out, "%s%s:", values_are_optional(field) ? "::" : ":",
               field->value ? field->value : "word");
    add_values(field, out);
}

/* One name of an option, between quotes. */
static void add_name(const Field *field, const char *name, const char *attached, Buf *out)
{
    const char *again = field->kind == FIELD_TEXTS ? "*" : "";
    buf_printf(out, "        '%s%s%s", again, name, attached);
    add_tail(field, out);
    buf_puts(out, "' \\\n");
}

static const char *attachment(const Field *field)
{
    if (values_of(field) == VALUES_NONE) return "";
    return values_are_optional(field) ? "=-" : "=";
}

static void add_option(Option option, Buf *out)
{
    const Field *field = option.field;
    const char *const names[] = { field->name, field->alias };
    char name[64];
    if (field->letter) {
        snprintf(name, sizeof name, "-%c", field->letter);
        add_name(field, name, values_of(field) == VALUES_NONE ? "" : "+", out);
    }
    for (int i = 0; i < 2 && names[i]; i++) {
        snprintf(name, sizeof name, "--%s", names[i]);
        add_name(field, name, attachment(field), out);
    }
    if (!help_is_negated(option)) return;
    snprintf(name, sizeof name, "--no-%s", field->name);
    add_name(field, name, "", out);
}

static void add_operands(const HelpText *text, Buf *out)
{
    switch (values_of_operands(text)) {
    case VALUES_MODEL:
        buf_puts(out, "        '*:MODEL:_files -g \"*.safetensors\"'\n");
        break;
    case VALUES_COMMAND:
        buf_puts(out, "        '1:command:_attn_commands' '2:option:_attn_topics'\n");
        break;
    default:
        buf_printf(out, "        '*:%s:_files'\n", text->operand);
    }
}

static void add_command(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    Buf *out = context;
    buf_puts(out, "    _arguments -s -S \\\n");
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            add_option((Option){ field, sets->object }, out);
    buf_puts(out, "        '--help[print the short help]' \\\n");
    add_operands(text, out);
}

static void add_commands(Buf *out)
{
    buf_puts(out, "_attn_commands() {\n    local -a names=(\n");
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, "        '%s:", commands[i]->name);
        values_about(commands[i]->summary, out);
        buf_puts(out, "'\n");
    }
    buf_puts(out, "    )\n    _describe command names\n}\n\n");
}

/* The names that `attn help COMMAND` explains. */
static void add_topics(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    Buf *out = context;
    (void)text;
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++) {
            buf_printf(out, " '%s:", field->name);
            values_about(field->help, out);
            buf_putc(out, '\'');
        }
}

static void add_all_topics(Buf *out)
{
    buf_puts(out, "_attn_topics() {\n    local -a names\n    case $words[2] in\n");
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, "    %s) names=(", commands[i]->name);
        add_topics(commands[i]->describe(), out);
        buf_puts(out, " ) ;;\n");
    }
    buf_puts(out, "    esac\n    _describe option names\n}\n\n");
}

void completion_zsh(Buf *out)
{
    buf_puts(out, "#compdef attn\n"
                  "# zsh completion of attn; make docs writes it from the tables of options\n\n");
    add_commands(out);
    add_all_topics(out);
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, "_attn_%s() {\n", commands[i]->name);
        add_command(commands[i]->describe(), out);
        buf_puts(out, "}\n\n");
    }
    buf_puts(out, "_attn() {\n    if (( CURRENT == 2 )); then\n        _attn_commands\n"
                  "    elif (( $+functions[_attn_$words[2]] )); then\n"
                  "        local command=$words[2]\n"
                  "        shift words\n        (( CURRENT-- ))\n        _attn_$command\n"
                  "    fi\n}\n\n_attn \"$@\"\n");
}
