/* train_options.c - the options of `attn train` for files, runs and the corpus, and its help. Those
 * of text, network and training are where their values are used: text/text_options.h,
 * model/network_options.h, train/hyperparameters/hyperparameters.h.
 */
#include "cmd/corpus_files.h"
#include "cmd/train/config.h"
#include "train/update/processes.h"

#include <limits.h>
#include <stddef.h>

#define AT(member) .offset = offsetof(TrainOptions, member)
const Field train_fields[] = {
    { .group = "Files", .name = "output", .letter = 'o', .kind = FIELD_TEXT, AT(output),
      .value = "MODEL",
      .help = "model file to write",
      .common = 1,
      .reason = "The model file is all that translation needs. Without this option all commands "
                "share one file, so that attn translate finds what attn train has made.",
      .related = "force resume" },
    { .name = "valid", .kind = FIELD_TEXT, AT(valid), .value = "FILE",
      .help = "TSV to validate on, not on what CORPUS holds out",
      .common = 1,
      .reason = "Validation decides when training stops and which weights are kept. Name a file of "
                "your own where the sentences to be translated are not like those of CORPUS.",
      .related = "holdout validate-every validate-sentences patience" },
    { .name = "log", .kind = FIELD_TEXT, AT(log), .value = "FILE",
      .help = "write the progress, a JSON object a line; -: to stdout",
      .common = 1,
      .reason = "The first line has the options. --resume continues the file. Programs read it, "
                "and --curves draws it: loss, speed and scores in the course of the run.",
      .related = "curves log-every resume" },
    { .name = "log-every", .kind = FIELD_INT, AT(log_every), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "updates between two lines of the log",
      .reason = "Fewer lines make a smaller file; more show the loss in finer steps.",
      .related = "log curves" },
    { .name = "curves", .kind = FIELD_TEXT, AT(curves), .value = "FILE",
      .help = "draw the course of --log as an HTML page",
      .common = 1,
      .reason = "It has loss, BLEU and learning rate, and shows while training runs whether the "
                "loss still falls, and whether that of validation follows.",
      .related = "log" },
    { .name = "save-every", .kind = FIELD_TIME, AT(save_every), .low = 0, .high = 1e9,
      .value = "TIME",
      .help = "time between two saves of the training state, MODEL.state; each validation saves it "
              "too",
      .reason = "What is lost when the machine fails is at most this much work. A save of a large "
                "network takes a while, so don't save much more often than that.",
      .related = "resume" },
    { .name = "show-every", .kind = FIELD_TIME, AT(show_every), .low = 0, .high = 1e9,
      .value = "TIME",
      .help = "time between reports of BLEU and three translated validation sentences; 0: none",
      .reason = "Three translations say more than a number. The BLEU is that of a few sentences: "
                "it follows the course of a training and is not one to publish.",
      .related = "validate-sentences quiet" },
    { .name = "resume", .kind = FIELD_FLAG, AT(resume),
      .help = "go on from MODEL.state as if the run had never stopped",
      .common = 1,
      .reason = "Corpus and options come from there, but limits, threads and output files may be "
                "given again. A training that was stopped, killed or cut off ends with the same "
                "bytes as one without a break. One that has ended leaves no state: --init goes on "
                "from its model.",
      .related = "init output save-every epochs steps time-limit patience threads log curves" },
    { .name = "force", .kind = FIELD_FLAG, AT(force),
      .help = "replace MODEL, its state, --log and --curves",
      .common = 1,
      .reason = "A model never replaces a file that is no model. No command replaces a file "
                "without being asked to.",
      .related = "output log curves resume" },
    { .name = "init", .kind = FIELD_TEXT, AT(init), .value = "MODEL",
      .help = "go on from the weights, network and text pipeline of MODEL; its vocabulary gets the "
              "characters (with --tokens word the words) that CORPUS has and it lacks",
      .reason = "What is special to a field of work is learned from some thousand pairs, because "
                "the language is known already.",
      .related = "replay learning-rate epochs" },
    { .name = "replay", .kind = FIELD_TEXT, AT(replay), .value = "FILE",
      .help = "with --init: a TSV of what MODEL learned; three of its pairs are learned for each "
              "of CORPUS, so that they are not forgotten",
      .reason = "Without it, the text that MODEL was trained on is soon translated worse "
                "(data/results/quality.md).",
      .related = "init" },
    { .name = "preset", .kind = FIELD_CHOICE, AT(preset), .choices = preset_names, .value = "NAME",
      .help = "settings of a published model",
      .common = 1,
      .reason = "d2l is the textbook's, bench that of the speed comparison, luong that of Luong et "
                "al., gnmt Google's, transformer that of Vaswani et al., transformer-small half as "
                "large, and hybrid this with a recurrent encoder. A preset reproduces a published "
                "model, or compares with one. Options that are given beside it override its own. "
                "The defaults translate better.",
      .related = "config dump-config" },
    { .name = "dry-run", .kind = FIELD_FLAG, AT(dry_run),
      .help = "only prepare the text: read, clean, learn the vocabulary, encode; print its "
              "statistics as JSON",
      .reason = "It shows within seconds what would be left out of a corpus and how many tokens "
                "there are, before hours of training.",
      .related = "max-ratio skip-equal skip-duplicates vocabulary dump-config" },
    { .name = "memory", .kind = FIELD_REAL, AT(memory), .low = 0.01, .high = 1e9, .value = "MB",
      .help = "megabytes for training pairs, of all processes together, and as many for a network "
              "whose width is auto; a larger corpus is streamed from a temporary file beside "
              "MODEL, a larger network is made narrower",
      .reason = "Pairs in memory are read fastest. Lower it where other programs need the memory.",
      .related = "pairs hidden embedding" },
    { .name = "exchange", .kind = FIELD_CHOICE, AT(exchange), .choices = exchange_names,
      .value = "HOW",
      .help = "numbers that the processes of mpirun exchange; bf16 sends half as many bytes, and "
              "rounds sums of gradients and changes of weights to 8 bits",
      .reason = "On a slow network between machines the exchange takes most of the time, and half "
                "as many bytes take half of it.",
      .related = "threads precision" },
    { .name = "config", .kind = FIELD_TEXT, AT(config), .value = "FILE",
      .help = "read options from a JSON file",
      .reason = "It keeps an experiment in one file: what --dump-config prints can be read again. "
                "Options on the command line override it.",
      .related = "dump-config preset" },
    { .name = "dump-config", .kind = FIELD_FLAG, AT(dump_config),
      .help = "only print the options as JSON; with CORPUS also the values that follow from its "
              "size",
      .reason = "It shows what auto means for a corpus, and writes a file for --config.",
      .related = "config preset" },
    { .name = "quiet", .letter = 'q', .kind = FIELD_FLAG, AT(quiet),
      .help = "print only errors and warnings",
      .common = 1,
      .reason = "Scripts want no progress; a log file has it.",
      .related = "log verbose" },
    { .name = "verbose", .letter = 'v', .kind = FIELD_FLAG, AT(verbose),
      .help = "also print the shape of each parameter",
      .reason = "It shows where the parameters of a network are.",
      .related = "quiet" },
    { .name = NULL }
};

static const char *const translations[] = { "first", "all", NULL };

#define IN(member) .offset = offsetof(PairOptions, member)
const Field pair_fields[] = {
    { .group = "Corpus", .name = "format", .kind = FIELD_CHOICE, IN(format),
      .choices = corpus_formats, .value = "FORM",
      .help = corpus_format_help,
      .reason = "It is needed only where names do not tell: two TSV files that do not end in .tsv, "
                "or more than two files." },
    { .name = "columns", .kind = FIELD_PAIR, IN(columns), .low = 1, .high = CORPUS_COLUMNS,
      .automatic = 1, .value = "S,T",
      .help = corpus_columns_help,
      .reason = "Downloads often have numbers, scores or addresses before the sentences: a number "
                "before each is --columns 2,4. It is for all files: CORPUS, --valid and --replay.",
      .related = "format valid replay" },
    { .name = "holdout", .kind = FIELD_FLAG, IN(holdout),
      .help = "hold out 1 % of the sources for tests and 1 % for validation",
      .reason = "Scores of sentences that training has seen say nothing. The hash of the source "
                "decides, so that every run and every program holds out the same sentences. Turn "
                "it off to learn from all pairs, and give --valid then.",
      .related = "valid" },
    { .name = "pairs", .kind = FIELD_INT, IN(pairs), .low = 0, .high = INT_MAX, .value = "N",
      .help = "read only the first N pairs; 0: all",
      .reason = "It makes a quick trial on a part of a large corpus.",
      .related = "memory time-limit" },
    { .name = "max-bytes", .kind = FIELD_INT, IN(max_bytes), .low = 1, .high = INT_MAX,
      .value = "N",
      .help = "skip pairs with a longer side",
      .reason = "A side this long is no sentence but a broken file; it would only cost memory.",
      .related = "max-length strict" },
    { .name = "max-ratio", .kind = FIELD_REAL, IN(max_ratio), .low = 0, .high = 1e6, .automatic = 1,
      .value = "R",
      .help = "skip pairs with (longer + 16) / (shorter + 16) bytes above R; 0: keep them; auto: "
              "4; 0 with --tokens symbol",
      .reason = "Where one side is many times as long as the other they are hardly translations of "
                "each other. The 16 spares short sentences. Raise it for scripts whose letters "
                "take three bytes beside one.",
      .related = "skip-equal skip-duplicates strict dry-run" },
    { .name = "skip-equal", .kind = FIELD_INT, IN(equal_words), .low = 0, .high = INT_MAX,
      .automatic = 1, .value = "N",
      .help = "skip pairs with equal sides of N or more words; 0: keep them; auto: 4; 0 with "
              "--tokens symbol",
      .reason = "A sentence that was left untranslated teaches the network to copy. Short ones, "
                "such as names, are often the same in both languages.",
      .related = "max-ratio copy-words placeholders dry-run" },
    { .name = "skip-duplicates", .kind = FIELD_FLAG, IN(skip_duplicates),
      .help = "skip pairs that occurred before",
      .reason = "A pair that occurs many times weighs as much as many pairs and teaches nothing "
                "new.",
      .related = "translations dry-run" },
    { .name = "translations", .kind = FIELD_CHOICE, IN(translations), .choices = translations,
      .value = "WHICH",
      .help = "of several translations of one training source, learn the first, or all",
      .reason = "A network that learns several translations of a source writes a mixture of them. "
                "The first alone gave a higher BLEU, also with all references (data/tried.md).",
      .related = "skip-duplicates dropout" },
    { .name = "strict", .kind = FIELD_FLAG, IN(strict),
      .help = "stop with an error at a line without a tab, with an empty side, invalid UTF-8 or "
              "too many bytes",
      .reason = "In a corpus that is meant to be clean a line that is no pair is a mistake to be "
                "found, not to be left out.",
      .related = "max-bytes" },
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
             "with --force.",
    .examples = "attn train fra.txt                       # English-French from one TSV file\n"
                "attn train --time-limit 6m corpus.en corpus.fr -o models/en-fr.safetensors\n"
                "attn train --preset d2l fra.txt          # the textbook's model\n"
                "attn train --init eng-fra --replay fra.txt law.tsv -o models/law.safetensors\n"
                "attn train --resume                      # continue after an interruption",
    .operand = "CORPUS",
};
