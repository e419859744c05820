/* banks.c - see banks.h. */
#include "search/banks.h"

#include "base/min.h"

#include <math.h>

/* Banks of a sentence; 0: its places are not divided. */
static int banks_of(unsigned copies)
{
    return copies ? copies_count(copies) + 1 : 0;
}

int banks_has(const Search *s, int sentence)
{
    return s->banks && s->sources.most[sentence].copies;
}

/* Before s->sources.most is known. */
static int banks_of_source(const Search *s, int sentence)
{
    return banks_of(word_limits_of(&s->sources.sentence[sentence], s->rules).copies);
}

void banks_layout(Search *s, Arena *arena)
{
    const SearchOptions *o = s->options;
    size_t lists = 0;
    if (!s->rules->placeholders || o->beam == 1 || o->sample) return;
    for (int i = 0; i < s->sources.count; i++)
        lists += (size_t)banks_of_source(s, i);
    s->banks = arena_take(arena, (size_t)s->sources.count, sizeof *s->banks);
    Candidates *list = arena_take(arena, lists, sizeof *list);
    Candidate *room = arena_take(arena, lists * (size_t)o->beam, sizeof *room);
    for (int i = 0; s->banks && i < s->sources.count; i++) {
        s->banks[i] = list;
        for (int k = banks_of_source(s, i); k > 0; k--, room += o->beam)
            *list++ = (Candidates){ .candidate = room };
    }
}

void banks_begin(Search *s, int sentence, int places)
{
    for (int k = 0; k < banks_of(s->sources.most[sentence].copies); k++) {
        s->banks[sentence][k].count = 0;
        s->banks[sentence][k].most = places;
    }
}

void banks_offer(Search *s, int i, real *logits, const real *largest, double base)
{
    const Row *row = &s->beam.row[i];
    const unsigned copies = s->sources.most[row->sentence].copies;
    Candidates *bank = s->banks[row->sentence] + copies_count(row->written.copies & copies);
    const double least = row->log_probability - log(s->scorers.V);
    for (int id = ID_SPECIALS; id < ID_SPECIALS + PLACEHOLDERS; id++) {
        const double logit = (double)logits[id];
        if (logits[id] == FORBIDDEN) continue;
        logits[id] = FORBIDDEN;
        if (base + logit < least) continue;
        candidates_add(bank + 1, (Candidate){ .log_probability = base + logit, .row = i, .id = id });
    }
    const LogitRow words = { logits, largest, s->scorers.V };
    candidates_offer(bank, &words, i, base);
}

/* Gives what bank k has no candidates for to its nearest neighbours, those with fewer placeholders first. */
static void give_away(const Candidates *bank, int banks, int *taken, int k, int spare)
{
    for (int distance = 1; distance < banks && spare; distance++)
        for (int side = -1; side <= 1; side += 2) {
            const int other = k + side * distance;
            if (other < 0 || other >= banks) continue;
            const int more = min_int(spare, bank[other].count - taken[other]);
            taken[other] += more;
            spare -= more;
        }
}

void banks_choose(Search *s, int sentence)
{
    Candidates *list = &s->candidates[sentence], *bank = s->banks[sentence];
    const int banks = banks_of(s->sources.most[sentence].copies);
    int taken[PLACEHOLDERS + 1], spare[PLACEHOLDERS + 1];
    for (int k = 0; k < banks; k++) {
        const int share = (k + 1) * list->most / banks - k * list->most / banks;
        candidates_prune(&bank[k], s->options->nbest, search_threshold(s->options));
        taken[k] = min_int(share, bank[k].count);
        spare[k] = share - taken[k];
    }
    for (int k = 0; k < banks; k++)
        give_away(bank, banks, taken, k, spare[k]);
    for (int k = 0; k < banks; k++)
        for (int i = 0; i < taken[k]; i++)
            candidates_add(list, bank[k].candidate[i]);
}
