/* completion_bash.c - a function a command: what the option before the word takes, or else the
 * options and operands of the command. */
#include "cmd/commands.h"
#include "docs/completion.h"
#include "docs/values.h"

#include <string.h>

/* The commands, a blank between two. */
static void add_commands(Buf *out)
{
    for (int i = 0; commands[i]; i++) buf_printf(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* "--beam" or "-o | --output" */
static void add_pattern(const Field *field, Buf *out)
{
    if (field->letter) buf_printf(out, "-%c | ", field->letter);
    buf_printf(out, "--%s", field->name);
    if (field->alias) buf_printf(out, " | --%s", field->alias);
}

/* What completes a value. */
static void add_values(const Field *field, Buf *out)
{
    Buf words = { 0 };
    switch (values_of(field)) {
    case VALUES_WORDS:
        values_words(field, &words);
        buf_printf(out, "_attn_offer '%s'", words.text);
        break;
    case VALUES_MODEL:
        buf_puts(out, "_filedir safetensors");
        break;
    case VALUES_FILE:
        buf_puts(out, "_filedir");
        for (int i = 0; field->choices && field->choices[i]; i++)
            buf_printf(out, "%s%s", i ? "|" : " '@(", field->choices[i] + 1);
        if (field->choices) buf_puts(out, ")'");
        break;
    default:
        break;
    }
    buf_free(&words);
}

/* An option that may lack its value has it attached: the next word is an operand. */
static void add_option(const Field *field, Buf *out)
{
    if (values_of(field) == VALUES_NONE) return;
    buf_puts(out, "    ");
    add_pattern(field, out);
    buf_puts(out, values_are_optional(field) ? ") if $split; then " : ") ");
    add_values(field, out);
    if (values_of(field) != VALUES_FREE) buf_puts(out, "; ");
    buf_puts(out, values_are_optional(field) ? "return; fi ;;\n" : "return ;;\n");
}

static const char *operands(const HelpText *text)
{
    switch (values_of_operands(text)) {
    case VALUES_MODEL:   return "_filedir safetensors";
    case VALUES_COMMAND: return "_attn_topics";
    default:             return "_filedir";
    }
}

static void add_command(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    Buf *out = context, options = { 0 };
    buf_puts(out, "    case $prev in\n");
    for (const OptionSet *set = sets; set->fields; set++)
        for (const Field *field = set->fields; field->name; field++) add_option(field, out);
    values_options(sets, &options);
    buf_printf(out, "    esac\n    if $split; then return; fi\n"
                    "    if [[ $cur == -* ]]; then _attn_offer '%s'; else %s; fi\n",
               options.text, operands(text));
    buf_free(&options);
}

/* The names that `attn help COMMAND` explains. */
static void add_topics(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    Buf *out = context;
    (void)text;
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            buf_printf(out, "%s ", field->name);
}

static void add_all_topics(Buf *out)
{
    buf_puts(out, "_attn_topics()\n{\n    case $cword.${words[2]} in\n    2.*) _attn_offer '");
    add_commands(out);
    buf_puts(out, "' ;;\n");
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, "    3.%s) _attn_offer '", commands[i]->name);
        add_topics(commands[i]->describe(), out);
        buf_puts(out, "' ;;\n");
    }
    buf_puts(out, "    esac\n}\n\n");
}

void completion_bash(Buf *out)
{
    buf_puts(out, "# bash completion of attn; make docs writes it from the tables of options\n\n"
                  "_attn_offer()\n{\n"
                  "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n}\n\n");
    add_all_topics(out);
    for (int i = 0; commands[i]; i++) {
        buf_printf(out, "_attn_%s()\n{\n", commands[i]->name);
        add_command(commands[i]->describe(), out);
        buf_puts(out, "}\n\n");
    }
    buf_puts(out, "_attn()\n{\n    local cur prev words cword split\n"
                  "    _init_completion -s || return\n"
                  "    if ((cword == 1)); then _attn_offer '");
    add_commands(out);
    buf_puts(out, " --help --version'; return; fi\n"
                  "    if declare -F \"_attn_${words[1]}\" > /dev/null; then"
                  " \"_attn_${words[1]}\"; fi\n}\n\n"
                  "complete -F _attn attn\n");
}
