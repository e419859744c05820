/* train_options.c - the options of `attn train` for files, runs and the corpus, and its help. Those
 * of text, network and training are where their values are used: text/text_options.h,
 * model/network_options.h, train/hyperparameters.h.
 */
#include "cmd/command_files.h"
#include "cmd/train/config.h"
#include "train/update/processes.h"

#include <limits.h>
#include <stddef.h>

#define AT(member) .offset = offsetof(TrainOptions, member)
const Field train_fields[] = {
    { .group = "Files", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output),
      .value = "MODEL",
      .help = "model file to write", .common = 1 },
    { .name = "valid", .kind = FIELD_TEXT, AT(valid), .value = "FILE",
      .help = "TSV to validate on, not on what CORPUS holds out", .common = 1 },
    { .name = "log", .kind = FIELD_TEXT, AT(log), .value = "FILE",
      .help = "write the progress, a JSON object a line; -: to stdout", .common = 1 },
    { .name = "log-every", .kind = FIELD_INT, AT(log_every), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "updates between two lines of the log" },
    { .name = "curves", .kind = FIELD_TEXT, AT(curves), .value = "FILE",
      .help = "draw the course of --log as an HTML page" },
    { .name = "save-every", .kind = FIELD_TIME, AT(save_every), .low = 0, .high = 1e9,
      .value = "TIME",
      .help = "time between two saves of the training state, MODEL.state; each validation saves it "
              "too" },
    { .name = "resume", .kind = FIELD_FLAG, AT(resume),
      .help = "go on from MODEL.state as if the run had never stopped", .common = 1 },
    { .name = "force", .kind = FIELD_FLAG, AT(force),
      .help = "replace MODEL, its state, --log and --curves", .common = 1 },
    { .name = "vocabulary-file", .kind = FIELD_TEXT, AT(vocabulary_file), .value = "FILE",
      .help = "SentencePiece model whose pieces are the tokens of both sides; FILE,FILE: one of the "
              "source and one of the target" },
    { .name = "init", .kind = FIELD_TEXT, AT(init), .value = "MODEL",
      .help = "go on from the weights, network and text pipeline of MODEL; its vocabulary gets the "
              "characters (with --tokens word the words) that CORPUS has and it lacks; that of "
              "SentencePiece stays; the rate is then 0.0005, or of a transformer 0.0256 / its width" },
    { .name = "replay", .kind = FIELD_TEXT, AT(replay), .value = "FILE",
      .help = "with --init: a TSV of what MODEL learned; three of its pairs are learned for each "
              "of CORPUS, so that they are not forgotten" },
    { .name = "preset", .kind = FIELD_CHOICE, AT(preset), .choices = preset_names, .value = "NAME",
      .help = "settings of a published model, which other options override", .common = 1 },
    { .name = "dry-run", .kind = FIELD_FLAG, AT(dry_run),
      .help = "only prepare the text: read, clean, learn the vocabulary, encode; print its "
              "statistics as JSON" },
    { .name = "memory", .kind = FIELD_REAL, AT(memory), .low = 0.01, .high = 1e9, .value = "MB",
      .help = "megabytes for training pairs, of all processes together, and as many for a network "
              "whose width is auto; a larger corpus is streamed from a temporary file beside "
              "MODEL, a larger network is made narrower" },
    { .name = "exchange", .kind = FIELD_CHOICE, AT(exchange), .choices = exchange_names,
      .value = "HOW",
      .help = "numbers that the processes of mpirun exchange; bf16 sends half as many bytes, and "
              "rounds sums of gradients and changes of weights to 8 bits" },
    { .name = "config", .kind = FIELD_TEXT, AT(config), .value = "FILE",
      .help = "read options from a JSON file, as --dump-config prints it; those of the command "
              "line override it" },
    { .name = "dump-config", .kind = FIELD_FLAG, AT(dump_config),
      .help = "only print the options as JSON; with CORPUS also the values that follow from its "
              "size" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "print only errors and warnings", .common = 1 },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose),
      .help = "also print the shape of each parameter" },
    { .name = NULL }
};

static const char *const translations[] = { "first", "all", NULL };

#define IN(member) .offset = offsetof(PairOptions, member)
const Field pair_fields[] = {
    { .group = "Corpus", .name = "format", .kind = FIELD_CHOICE, IN(format),
      .choices = corpus_formats, .value = "FORM",
      .help = corpus_format_help },
    { .name = "columns", .kind = FIELD_PAIR, IN(columns), .low = 1, .high = CORPUS_COLUMNS,
      .automatic = 1, .value = "S,T",
      .help = corpus_columns_help },
    { .name = "holdout", .kind = FIELD_FLAG, IN(holdout),
      .help = "hold out 1 % of the sources for tests and 1 % for validation, by the hash of the "
              "source" },
    { .name = "pairs", .kind = FIELD_INT, IN(pairs), .low = 0, .high = INT_MAX, .value = "N",
      .help = "read only the first N pairs; 0: all" },
    { .name = "max-bytes", .kind = FIELD_INT, IN(max_bytes), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "skip pairs with a longer side" },
    { .name = "max-ratio", .kind = FIELD_REAL, IN(max_ratio), .low = 0, .high = 1e6, .automatic = 1,
      .value = "R",
      .help = "skip pairs with (longer + 16) / (shorter + 16) bytes above R; 0: keep them; auto: "
              "4; 0 with --tokens symbol" },
    { .name = "skip-equal", .kind = FIELD_INT, IN(equal_words), .low = 0, .high = INT_MAX,
      .automatic = 1, .value = "N",
      .help = "skip pairs with equal sides of N or more words; 0: keep them; auto: 4; 0 with "
              "--tokens symbol" },
    { .name = "skip-duplicates", .kind = FIELD_FLAG, IN(skip_duplicates),
      .help = "skip pairs that occurred before" },
    { .name = "translations", .kind = FIELD_CHOICE, IN(translations), .choices = translations,
      .value = "WHICH",
      .help = "of several translations of one training source, learn the first, or all" },
    { .name = "strict", .kind = FIELD_FLAG, IN(strict),
      .help = "stop with an error at a line without a tab, with an empty side, invalid UTF-8 or "
              "too many bytes" },
    { .name = NULL }
};

const HelpText train_help = {
    .usage = "attn train [OPTION...] [-o MODEL] CORPUS...",
    .about = "Learns to translate from sentence pairs. CORPUS is a TSV file (source, tab,\n"
             "target; --columns chooses others), or two files with the same number of\n"
             "lines, or several of either (--format). A file may be gzip data, and - is\n"
             "standard input. An option that is auto has the value that suits the size of\n"
             "the corpus, the other options and the CPU; --dump-config CORPUS prints it.\n"
             "\n"
             "Validation and test sentences are held out by a hash of the source sentence, so\n"
             "that no sentence is in two parts, however its blanks and accents are encoded.\n"
             "attn eval --part test CORPUS scores the test sentences.\n"
             "Training ends when the validation loss stops falling, or at a limit. From the\n"
             "first validation on, MODEL holds the best weights so far; without validation\n"
             "pairs it is written at the end. Ctrl-C, SIGTERM, a closed terminal, and SIGUSR2\n"
             "and SIGXCPU of batch systems save the state for --resume and end the run; a\n"
             "second Ctrl-C ends it at once. SIGUSR1 saves the state and training continues.\n"
             "Signals that are ignored at the start stay so. Existing files are replaced only\n"
             "with --force. A resumed run takes corpus and options from its state; limits,\n"
             "threads and output files may be given again.",
    .examples = "attn train fra.txt                       # English-French from one TSV file\n"
                "attn train --time-limit 6m corpus.en corpus.fr -o models/en-fr.safetensors\n"
                "attn train --preset d2l fra.txt          # the textbook's model\n"
                "attn train --init eng-fra --replay fra.txt law.tsv -o models/law.safetensors\n"
                "attn train --resume                      # continue after an interruption",
    .operand = "CORPUS",
};
