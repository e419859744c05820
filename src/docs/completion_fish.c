/* completion_fish.c - a line for each command, option and operand. */
#include "cmd/commands.h"
#include "cmd/help.h"
#include "docs/completion.h"
#include "docs/values.h"

#include <string.h>

/* Where the lines of a command go, and its name. */
typedef struct { Buf *out; const char *command; } Page;

static void add_about(const char *help, Buf *out)
{
    buf_puts(out, " -d '");
    values_about(help, out);
    buf_puts(out, "'\n");
}

static void add_condition(const char *command, Buf *out)
{
    buf_printf(out, "complete -c attn -n '__attn_runs %s'", command);
}

/* What the option takes: -r a value, -x no files, -F files. */
static void add_values(const Field *field, Buf *out)
{
    Buf words = { 0 };
    switch (values_of(field)) {
    case VALUES_NONE:
        break;
    case VALUES_WORDS:
        values_words(field, &words);
        buf_printf(out, " -x -a '%s'", words.text);
        break;
    case VALUES_MODEL:
        buf_puts(out, " -x -a '(__attn_models)'");
        break;
    case VALUES_FILE:
        buf_puts(out, values_are_optional(field) ? "" : " -r -F");
        break;
    default:
        buf_puts(out, " -x");
    }
    buf_free(&words);
}

static void add_option(const Page *page, Option option)
{
    const Field *field = option.field;
    Buf *out = page->out;
    add_condition(page->command, out);
    buf_printf(out, " -l %s", field->name);
    if (field->alias) buf_printf(out, " -l %s", field->alias);
    if (field->letter) buf_printf(out, " -s %c", field->letter);
    add_values(field, out);
    add_about(field->help, out);
    if (!help_is_negated(option)) return;
    add_condition(page->command, out);
    buf_printf(out, " -l no-%s", field->name);
    add_about(field->help, out);
}

static void add_operands(const Page *page, const HelpText *text)
{
    if (values_of_operands(text) == VALUES_COMMAND) return;
    add_condition(page->command, page->out);
    buf_puts(page->out, values_of_operands(text) == VALUES_MODEL
                            ? " -a '(__attn_models)'\n" : " -F\n");
}

static void add_command(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    const Page *page = context;
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++)
            add_option(page, (Option){ field, sets->object });
    add_condition(page->command, page->out);
    buf_puts(page->out, " -s h -l help -d 'print the short help'\n");
    add_operands(page, text);
}

/* The names that `attn help COMMAND` explains. */
static void add_topics(Description d, void *context)
{
    const OptionSet *sets = d.sets;
    const HelpText *text = d.text;
    const Page *page = context;
    (void)text;
    for (; sets->fields; sets++)
        for (const Field *field = sets->fields; field->name; field++) {
            buf_printf(page->out, "complete -c attn -n '__attn_explains %s' -a %s",
                       page->command, field->name);
            add_about(field->help, page->out);
        }
}

static void add_name(const Command *command, Buf *out)
{
    buf_printf(out, "complete -c attn -n __attn_lacks_command -a %s", command->name);
    add_about(command->summary, out);
}

void completion_fish(Buf *out)
{
    buf_puts(out, "# fish completion of attn; make docs writes it from the tables of options\n\n"
                  "function __attn_lacks_command\n"
                  "    set -l words (commandline -opc)\n"
                  "    test (count $words) = 1; or test \"$words[2..]\" = help\nend\n\n"
                  "function __attn_runs\n"
                  "    set -l words (commandline -opc)\n"
                  "    test \"$words[2]\" = $argv[1]\nend\n\n"
                  "function __attn_explains\n"
                  "    set -l words (commandline -opc)\n"
                  "    test \"$words[2..]\" = \"help $argv[1]\"\nend\n\n"
                  "function __attn_models\n"
                  "    set -l begun (string replace -r '^-[^=]*=' '' -- (commandline -ct))\n"
                  "    string match -r '^.*(?:\\.safetensors|/)$' --"
                  " (complete -C \"'' $begun\")\nend\n\n"
                  "complete -c attn -f\n"
                  "complete -c attn -n 'not __fish_seen_subcommand_from help' -s V -l version"
                  " -d 'print the version'\n");
    for (int i = 0; commands[i]; i++) {
        Page page = { out, commands[i]->name };
        add_name(commands[i], out);
        add_command(commands[i]->describe(), &page);
        add_topics(commands[i]->describe(), &page);
    }
}
