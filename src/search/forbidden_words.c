/* forbidden_words.c - limits of a sentence, and what they forbid. */
#include "search/forbidden_words.h"

#include "search/search_options.h"

#include <limits.h>

/* ---- limits ---- */

static int count_unknowns(const Sentence *source)
{
    int unknowns = 0;
    for (int i = 0; i < source->source_length; i++)
        unknowns += source->source[i] == ID_UNK;
    return unknowns;
}

/* The largest number of successive occurrences of the same `period` words. */
static int occurrences(const Sentence *source, int period)
{
    int most = 1;
    for (int i = period, same = 0; i < source->source_length; i++) {
        same = source->source[i] == source->source[i - period] ? same + 1 : 0;
        if (same / period + 1 > most) most = same / period + 1;
    }
    return most;
}

static int most_repeats(const Sentence *source, int repeats)
{
    int most = repeats;
    if (!most) return 0;
    for (int period = 1; period <= LONGEST_LOOP; period++) {
        const int times = occurrences(source, period);
        if (times > most) most = times;
    }
    return most < REPEATS_MOST ? most : REPEATS_MOST;
}

int copies_count(unsigned copies)
{
    int count = 0;
    for (; copies; copies &= copies - 1)
        count++;
    return count;
}

unsigned copies_among(unsigned copies, const int *ids, int count)
{
    unsigned found = 0;
    for (int i = 0; i < count; i++)
        found |= placeholder_bit(ids[i]);
    return found & copies;
}

WordLimits word_limits_of(const Sentence *source, const SearchRules *rules)
{
    return (WordLimits){
        .unknowns = rules->copy == COPY_UNKNOWN ? count_unknowns(source) : INT_MAX,
        .repeats = most_repeats(source, rules->options->repeats),
        .placeholders = rules->placeholders,
        .copies = rules->placeholders ? copies_among(~0U, source->source, source->source_length) : 0,
        .breaks = rules->right_left ? NULL : rules->breaks,
    };
}

/* ---- forbidden words ---- */

/* Whether word (count), latest first, is periodic where the next word would end occurrence number
 * times + 1 of the same `period` words. That word is word[period - 1]. */
static int is_loop(const int *word, int count, int period, int times)
{
    const int needed = (times + 1) * period - 1;
    if (count < needed) return 0;
    for (int i = 0; i + period < needed; i++)
        if (word[i] != word[i + period]) return 0;
    return 1;
}

static void forbid_loops(const HypothesisTree *tree, int node, int times, ForbiddenWords *list)
{
    enum { MOST = (REPEATS_MOST + 1) * LONGEST_LOOP };
    int word[MOST];
    if (!times) return;
    const int count = tree_last_words(tree, node, word, (times + 1) * LONGEST_LOOP);
    for (int period = 1; period <= LONGEST_LOOP; period++)
        if (is_loop(word, count, period, times) && word[period - 1] != ID_UNK)
            list->id[list->count++] = word[period - 1];
}

/* Whether a special token may follow. */
static int may_follow(int id, WordsWritten written, const WordLimits *most)
{
    return id == ID_EOS || (id == ID_UNK && written.unknowns < most->unknowns);
}

ForbiddenWords forbidden_words(const HypothesisTree *tree, int node, WordsWritten written,
                               const WordLimits *most)
{
    const int may_begin = node < 0 || !most->breaks || most->breaks[tree->node[node].id];
    const unsigned missing = may_begin ? most->copies & ~written.copies : 0;
    ForbiddenWords list = { .count = 0 };
    for (int id = 0; id < ID_SPECIALS; id++)
        if (!may_follow(id, written, most)) list.id[list.count++] = id;
    for (int id = ID_SPECIALS; most->placeholders && id < ID_SPECIALS + PLACEHOLDERS; id++)
        if (!(missing & placeholder_bit(id))) list.id[list.count++] = id;
    forbid_loops(tree, node, most->repeats, &list);
    return list;
}
