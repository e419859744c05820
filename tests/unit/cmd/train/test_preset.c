/* test_preset.c - every preset trains on a machine with 8 GB. */
#include "cmd/train/config.h"
#include "test.h"
#include "train/data/batches.h"
#include "train/hyperparameters.h"

#include <stdlib.h>

/* The eng-fra corpus of tatoeba.org, but that all pairs are as long as they may be. */
static const CorpusSize usual = { .pairs = 114489, .source_words = 9e5, .target_words = 1e6 };

/* The configuration of `attn train --preset NAME` with that corpus. */
static Config config_of(const char *preset)
{
    Err e;
    Config c;
    Options given;
    char *words[] = { "train", "--preset", (char *)preset, "fra.txt", NULL };
    if (config_read(&c, 4, words, &given, &e) || config_settle(&c, &usual, &e))
        fail_msg("%s", e.text);
    options_free(&given);
    return c;
}

/* Of a run with so many workers. */
static double bytes_of(const Config *c, int workers)
{
    enum { WHOLE_WORDS = 20000 };       /* where nothing limits them */
    const Hyperparameters *h = &c->hyper;
    const int limit = text_vocabulary(&c->text, usual.pairs), words = limit ? limit : WHOLE_WORDS;
    double *count = calloc((size_t)h->max_length + 1, sizeof *count);
    count[h->max_length] = usual.pairs;
    const Lengths lengths = { count, (size_t)h->max_length + 1 };
    const Examples examples = { .count = (size_t)usual.pairs, .lengths = { lengths, lengths },
                                .longer_lengths = lengths };
    const BatchSize share = batches_share(&examples, h->batch, h->batch_tokens, workers);
    const MemoryEstimate estimate = memory_estimate(&c->network, words, words, share, NULL,
                                                    h, (Crew){ 0, workers, workers });
    free(count);
    return estimate.weights + estimate.batch;
}

UNIT_TEST(every_preset_should_train_in_8_gb)
{
    if (sizeof(real) == sizeof(double)) skip();     /* is twice as large */
    for (int i = 0; preset_names[i]; i++) {
        Config c = config_of(preset_names[i]);
        for (int workers = 1; workers <= 16; workers *= 2)
            if (bytes_of(&c, workers) >= 8e9)
                fail_msg("%s, %d workers: %.0f MB", preset_names[i], workers,
                         bytes_of(&c, workers) / 1e6);
        config_free(&c);
    }
}

int main(void) { return run_unit_tests(); }
