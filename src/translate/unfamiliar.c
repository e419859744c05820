/* unfamiliar.c - whether a text is in the language that a model translates from, by the words that
 * it knows.
 *
 * Two walks over the words of a text, but for names, go one step down at each word that the lexicon
 * of the source knows. At other words one goes up, and the second does where the lexicon of the
 * target knows them. Of English for models/eng-fra, whatever it is about, 2 to 18 % of the words
 * are unknown, and of French 80 %: so the walks soon leave all heights for ever in the one, and
 * pass any height in the other. Only the beginning of a text counts.
 */
#include "translate/translation.h"

#include "text/lexicon.h"
#include "text/patterns.h"
#include "text/unicode.h"

/* For models/eng-fra none of 75,000 lines of English (news, law, programs, games, books), each a
 * text of its own, reaches the first height, and one reaches the second; of lines of French, 16 to
 * 95 % reach the first, by their length, and each of 42 files does. */
enum { MOST_WORDS = 1000, TARGET_HEIGHT = 5, UNKNOWN_HEIGHT = 10 };

static int knows(Language l, Slice word)
{
    if (l.lexicon) return lexicon_usual(l.lexicon, word) != NULL;
    SCOPED(ids_free) Ids ids = { 0 };
    int is_known = 1;
    tokenizer_encode_word(l.tokenizer, word, NULL, &ids);
    for (size_t i = 0; i < ids.count; i++)
        is_known &= ids.id[i] != ID_UNK;
    return is_known;
}

/* Names, which have capitals, and numbers say nothing. */
static int is_counted(const Words *words, size_t i)
{
    const Slice word = words_core_at(words, i);
    const Shape shape = letter_case_shape(word);
    if (word.length && unicode_digit(unicode_next(&(const char *){ word.text })) >= 0) return 0;
    return (shape == SHAPE_SMALL || shape == SHAPE_UNCASED)
           && !patterns_match(word);
}

static Unfamiliar add_word(UnfamiliarWalks *w, Slice word, Language source, Language target)
{
    const int is_known = knows(source, word);
    w->words++;
    w->unknown += is_known ? -1 : 1;
    w->target += is_known ? -1 : knows(target, word);
    if (w->target < TARGET_HEIGHT && w->unknown < UNKNOWN_HEIGHT) return UNFAMILIAR_NOT;
    w->words = MOST_WORDS;
    return w->target == TARGET_HEIGHT ? UNFAMILIAR_TARGET : UNFAMILIAR_WORDS;
}

/* The words of a chunk's source without its tags, and with what its placeholders stand for. */
static void split(const Chunk *chunk, const Tokenizer *tokenizer, Words *words)
{
    SCOPED(region_free) Region region = { 0 };
    const char **list = region_take(&region, (size_t)chunk->source_length, sizeof *list);
    SCOPED(buf_free) Buf text = { 0 };
    for (int i = 0; i < chunk->source_length; i++)
        list[i] = chunk_source_text(chunk, i, tokenizer);
    tokenizer_decode(tokenizer, chunk->source_ids, (size_t)chunk->source_length, list, NULL, &text);
    tokenizer_split(tokenizer, text.text, text.length, words);
}

Unfamiliar unfamiliar_add(UnfamiliarWalks *w, const Translation *t, Language source,
                          Language target)
{
    Unfamiliar found = UNFAMILIAR_NOT;
    SCOPED(words_free) Words words = { 0 };
    if (text_is_plain(&source.tokenizer->options)) return found;     /* pieces are no words */
    for (size_t k = 0; k < t->chunks && w->words < MOST_WORDS; k++) {
        if (chunk_is_given(&t->chunk[k]) && !t->chunk[k].is_all_copied) continue;
        split(&t->chunk[k], source.tokenizer, &words);
        for (size_t i = 0; i < words.count && w->words < MOST_WORDS; i++)
            if (is_counted(&words, i))
                found = add_word(w, words_core_at(&words, i), source, target);
    }
    return found;
}
