/* test_unfamiliar.c - texts that a model's words say are in another language, and those that they don't. */
#include "learn_lines.h"
#include "lexicon_case.h"
#include "scratch.h"
#include "translate/chunks.h"
#include "translate/unfamiliar.h"

static const char english[] = "['the cat is here he dog and sees a big red house table I we go there now on']";
static const char french[] = "['le chat est ici il chien et voit un grand rouge maison table on y va la une dans']";

typedef struct { Tokenizer *tokenizer; Lexicon *source, *target; Chunker chunker; } World;

static World world_new(int tokens)
{
    static const char *const lines[] = { "the cat is here and the dog sees a big red house 0123456789.,", "le chat est ici" };
    TextOptions options = text_defaults();
    options.tokens = tokens;
    options.truecase = options.placeholders = tokens != TOKENS_WORD;
    World w = { .tokenizer = learn_lines(&options, lines, 2) };
    if (options.truecase) w.source = lexicon_of(english);
    if (options.truecase) w.target = lexicon_of(french);
    w.chunker = (Chunker){ .source = { w.tokenizer, .lexicon = w.source },
                           .target = { w.tokenizer, .lexicon = w.target }, .split = 1, .copy = COPY_UNKNOWN };
    return w;
}

static void world_free(World *w)
{
    lexicon_free(w->source);
    lexicon_free(w->target);
    tokenizer_free(w->tokenizer);
}

/* What is found in some lines, which follow one another in one text `times` times; more than once is -1. */
static int found_in(const World *w, const char *line, int times)
{
    UnfamiliarWalks walks = { 0 };
    Region region = { 0 };
    int found = UNFAMILIAR_NOT;
    for (int i = 0; i < times; i++) {
        const Translation cut = chunk_line(&w->chunker, line, &region);
        const Unfamiliar now = unfamiliar_add(&walks, &cut, w->chunker.source, w->chunker.target);
        if (now != UNFAMILIAR_NOT) found = found == UNFAMILIAR_NOT ? (int)now : -1;
    }
    region_free(&region);
    return found;
}

UNIT_TEST(unfamiliar_words_should_be_told)
{
    static const struct { const char *line; int times, tokens; Unfamiliar found; } cases[] = {
        { "Le chat est ici et voit un grand chien.", 1, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "Le chat est ici.", 1, TOKENS_BPE, UNFAMILIAR_NOT },
        { "Le chat est ici.", 500, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "<p class=\"x\"><b>le chat</b></p>", 500, TOKENS_BPE, UNFAMILIAR_TARGET },
        { "the cat is here", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "table on table on", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "die katze ist hier und", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "кошка видит собаку", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "猫在这里", 500, TOKENS_BPE, UNFAMILIAR_WORDS },
        { "the katze is here und he sees", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "die katze ist hier", 500, TOKENS_WORD, UNFAMILIAR_WORDS },
        { "the cat is here", 500, TOKENS_WORD, UNFAMILIAR_NOT },
        { "Zorbax Xarg KROL", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "17 23.5 42", 500, TOKENS_BPE, UNFAMILIAR_NOT },
        { "foo_bar() https://a.b/c x->y", 500, TOKENS_BPE, UNFAMILIAR_NOT },
    };
    World bpe = world_new(TOKENS_BPE), words = world_new(TOKENS_WORD);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(found_in(cases[i].tokens == TOKENS_BPE ? &bpe : &words, cases[i].line, cases[i].times),
                         cases[i].found);
    world_free(&bpe);
    world_free(&words);
}

/* A text is known by its beginning. */
UNIT_TEST(later_words_should_not_count)
{
    World w = world_new(TOKENS_BPE);
    UnfamiliarWalks walks = { 0 };
    Region region = { 0 };
    for (int i = 0; i < 1000; i++) {
        const Translation cut = chunk_line(&w.chunker, i < 300 ? "the cat is here" : "le chat est ici", &region);
        assert_int_equal(unfamiliar_add(&walks, &cut, w.chunker.source, w.chunker.target), UNFAMILIAR_NOT);
    }
    region_free(&region);
    world_free(&w);
}

int main(void) { return run_unit_tests(); }
