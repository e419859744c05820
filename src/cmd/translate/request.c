/* request.c - the options of `attn translate`, and which of them go together. */
#include "cmd/translate/translate.h"

#include "base/system/environment.h"

#include <stddef.h>
#include <string.h>

static const char *const picture_endings[] = { ".svg", ".png", ".html", NULL };

#define AT(member) .offset = offsetof(Request, member)
static const Field request_fields[] = {
    { .group = "Input and output", .name = "model", .letter = 'm', .kind = FIELD_TEXTS, AT(models),
      .value = "MODEL",
      .help = models_help, .common = 1 },
    { .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output), .value = "FILE",
      .help = "write the translations to FILE, which appears once all is translated; - is standard "
              "output", .common = 1 },
    { .name = "force", .kind = FIELD_FLAG, AT(force),
      .help = "replace the files of --output and --heatmap if they exist" },
    { .name = "to", .alias = "target-lang", .kind = FIELD_WORD, .offset = offsetof(Request, search.to),
      .value = "LANG",
      .help = "language to translate into, for a model that knows several: its token, >>LANG<<, is put "
              "before each line that has none" },
    { .name = "prefix", .kind = FIELD_TEXT, AT(prefix), .value = "TEXT",
      .help = "every translation must begin with TEXT", .common = 1 },
    { .name = "prefixes", .kind = FIELD_TEXT, AT(prefixes), .value = "FILE",
      .help = "translation n must begin with line n of FILE; an empty line allows any beginning" },
    { .name = "wrapped", .kind = FIELD_FLAG, AT(wrapped),
      .help = "the lines of the text were broken to fit a width: join those that go on in the next "
              "one, and print a paragraph as one line; headings, items of lists and short lines "
              "stay lines" },
    { .name = "score", .kind = FIELD_FLAG, AT(score),
      .help = "read lines 'source TAB translation' and print the natural log-probability of the "
              "translation; with --json also that of each token", .common = 1 },
    { .name = "json", .kind = FIELD_FLAG, AT(json),
      .help = "print one object a line: source, translation, score, log_probability, nbest, "
              "source_tokens, target_tokens, log_probabilities (one a target token), attention "
              "(one row a target token), stretches, seconds", .common = 1 },
    { .name = "alternatives", .kind = FIELD_INT, .offset = offsetof(Request, search.alternatives),
      .low = 0, .high = 1000, .value = "N",
      .help = "with --json: the N most probable tokens at each position, as [token, "
              "log-probability]" },
    { .name = "alignment", .kind = FIELD_FLAG, AT(alignment),
      .help = "append a tab and, as the last field, the word alignment: 2-1 links source word 2 to "
              "target word 1, both counted from 0; each target word has the source word with the "
              "highest attention", .common = 1 },
    { .name = "heatmap", .kind = FIELD_TEXT, AT(heatmap), .choices = picture_endings,
      .value = "FILE",
      .help = "draw the attention of each translation: below it, or into FILE.svg, FILE.png or "
              "FILE.html", .common = 1 },
    { .name = "heatmap-of", .kind = FIELD_CHOICE, AT(heatmap_of), .choices = map_names,
      .value = "WHICH",
      .help = "draw the target's attention to the source (cross), or what self-attention of one "
              "side looks at" },
    { .name = "heatmap-layer", .kind = FIELD_INT, AT(heatmap_layer), .low = 0,
      .high = MAX_ATTENTION_LAYERS, .value = "N",
      .help = "draw self-attention layer N alone; 0: the mean over all" },
    { .name = "heatmap-head", .kind = FIELD_INT, AT(heatmap_head), .low = 0, .high = MAX_HEADS,
      .value = "N", .help = "draw head N alone; 0: the mean over all" },
    { .name = "color", .alias = "colour", .kind = FIELD_CHOICE, AT(colour), .choices = colour_words,
      .help = "colors of the pictures below translations; auto: at a terminal with 256 colors, "
              "unless NO_COLOR is set" },
    { .group = "Running", .name = "threads", .letter = 't', .kind = FIELD_INT,
      AT(threads), .low = 0, .high = 1024, .value = "N", .help = "worker threads; 0: one a core",
      .common = 1 },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "print no progress and no banner", .common = 1 },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose),
      .help = "print the speed at the end" },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn translate [OPTION...] [FILE...]",
    .about =
        "Translates each line of FILE, or of standard input, into one line on standard\n"
        "output, in the same order; an empty line gives an empty line. A FILE may be\n"
        "gzip data, and - is standard input. At a terminal without a FILE it is a\n"
        "prompt: type a sentence, or :help.\n"
        "\n"
        "A line may have any length. It is cut where the model needs it, as --split\n"
        "says, and its parts are joined again. A bullet or a number at its start stays\n"
        "as it is.\n"
        "\n"
        "A line is plain text. Nothing in it is guessed to be anything else, but tags of\n"
        "HTML and XML come back around the translation of their words, and &eacute; and\n"
        "the like become characters (&amp; &lt; &gt; come back as such). Comments and\n"
        "lines of tags alone stay as they are.\n"
        "\n"
        "--json lists the tokens one after another. 'stretches' has the numbers of source\n"
        "and target tokens of each part, and a row of 'attention' has one number for\n"
        "each source token of its own part.\n"
        "\n"
        "--score rates translations that exist, a line 'source TAB translation' at a\n"
        "time, without cutting lines. Several --model translate\n"
        "together; they must split text into the same tokens.\n"
        "\n"
        "If networks of a model write from right to left, the score of what is found is\n"
        "that of all networks; probabilities, attention and --score are those of the\n"
        "networks that write from left to right.\n"
        "\n"
        "With --nbest 2 or more each line gives N lines 'LINE ||| translation ||| score',\n"
        "with LINE counted from 0, or fewer: as many different translations as are found.\n"
        "One of them may be empty.",
    .examples =
        "attn translate < article.en > article.fr\n"
        "attn translate --wrapped book.txt | fmt -s > livre.txt\n"
        "echo 'I am calm.' | attn translate --heatmap\n"
        "attn translate --heatmap pictures.html < article.en > article.fr\n"
        "attn translate --json news.txt | jq -r .translation\n"
        "attn translate --prefix 'Je suis' < article.en\n"
        "attn translate --sample --top-p 0.9 --nbest 5 --seed 7 < article.en\n"
        "attn translate -m one.safetensors -m other.safetensors < article.en",
    .operand = "FILE",
};

/* Sets the defaults, and binds the tables to them. */
static const OptionSet *bind(Request *r)
{
    static OptionSet sets[4];
    *r = (Request){ .models = default_models(), .search = search_defaults() };
    fields_automate(search_fields, &r->search);
    sets[0] = (OptionSet){ request_fields, r };
    sets[1] = (OptionSet){ search_fields, &r->search };
    sets[2] = (OptionSet){ sampling_fields, &r->search };
    return sets;
}

/* What chooses words, and what leaves no choice. */
static void check_choice(const Request *r)
{
    const Options *given = &r->given;
    static const char *const choosing[] = { "nbest", "sample", "prefix", "prefixes", "beam",
                                            "beam-threshold", NULL };
    Err e;
    for (const char *const *name = choosing; r->score && *name; name++)
        if (options_given(given, *name))
            usage_error("translate", "--score reads the translation; leave out --%s", *name);
    const char *beam = options_given(given, "beam-threshold") ? "beam-threshold"
                     : options_given(given, "beam") ? "beam" : NULL;
    if (r->search.sample && beam)
        usage_error("translate", "--sample chooses words at random, without a beam; leave out --%s",
                    beam);
    for (const Field *field = sampling_fields + 1; field->name && !r->search.sample; field++)
        if (options_given(given, field->name))
            usage_error("translate", "--%s is for sampling; add --sample", field->name);
    if (!r->search.sample && r->search.beam != FIELD_AUTO && r->search.nbest > r->search.beam)
        usage_error("translate", "--nbest %d is more than the %d translations that --beam keeps; "
                                 "use --beam %d", r->search.nbest, r->search.beam, r->search.nbest);
    if (r->prefix && r->prefixes)
        usage_error("translate", "--prefix is for all lines; leave out --prefixes");
    if (r->prefix && prefix_check(r->prefix, strlen(r->prefix), &e))
        usage_error("translate", "--prefix: %s", e.text);
}

/* What is read and written. A picture may be asked for at the prompt. */
static void check_forms(const Request *r)
{
    const char *of_map = r->heatmap_of ? "heatmap-of" : r->heatmap_layer ? "heatmap-layer"
                       : r->heatmap_head ? "heatmap-head" : NULL;
    if (of_map && !r->heatmap && !r->format.heatmap && !r->is_typed)
        usage_error("translate", "--%s says what --heatmap draws; add --heatmap", of_map);
    if (r->wrapped && (r->score || r->prefixes))
        usage_error("translate", "--wrapped joins lines; leave out --%s",
                    r->score ? "score" : "prefixes");
    if (r->json && (r->alignment || r->format.heatmap))
        usage_error("translate", "--json has the whole attention already; leave out --%s",
                    r->alignment ? "alignment" : "heatmap");
    if (r->search.alternatives && !r->json)
        usage_error("translate", "--alternatives are printed with --json only; add --json");
}

void translate_request(Request *r, int argc, char **argv)
{
    static char *const standard_input[] = { "-" };
    const OptionSet *sets = bind(r);
    r->given = options_parse(sets, argc, argv);
    r->files = r->given.count ? r->given.count : 1;
    r->file = r->given.count ? r->given.operand : standard_input;
    for (int i = 0; i < r->files; i++)
        if (!strcmp(r->file[i], "-") && terminal_is(stdin)) r->is_typed = 1;
    if (r->output && !strcmp(r->output, "-")) r->output = NULL;
    r->format = (OutputFormat){
        .nbest = r->search.nbest, .score = r->score, .json = r->json,
        .alternatives = r->search.alternatives, .alignment = r->alignment,
        .map = { (MapKind)r->heatmap_of, { r->heatmap_layer, r->heatmap_head } },
        .heatmap = r->heatmap && !strcmp(r->heatmap, "-")
    };
    if (r->format.heatmap) r->heatmap = NULL;
    check_choice(r);
    check_forms(r);
    check_precision("translate", r->search.precision);
}

Description translate_describe(void)
{
    static Request r;
    return (Description){ bind(&r), &help_text };
}
