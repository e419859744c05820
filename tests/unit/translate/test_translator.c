/* test_translator.c - lines in, translations out, in order, however they were shared out. The
 * network has learned nothing: its answers are long and strange, and so differ wherever anything
 * goes wrong.
 */
#include "base/mem.h"
#include "linalg/precision.h"
#include "numbers.h"
#include "text/unicode.h"
#include "toy.h"
#include "translate/chunks.h"
#include "translate/ensemble.h"
#include "translate/translator.h"

#include <math.h>
#include <pthread.h>

enum { LINES = 21 };

/* Sources of the toy, joined in other orders, and lines without words among them. */
static void make_lines(Buf *line, const char **lines)
{
    for (size_t i = 0; i < LINES; i++) {
        buf_clear(&line[i]);
        for (size_t k = 0; k < i % 4; k++)
            buf_printf(&line[i], "%s ", toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
        lines[i] = line[i].text;
    }
}

typedef struct {
    Toy        *toy;
    Buf         line[LINES];
    const char *lines[LINES];
} Case;

static Case case_new(Scratch *scratch)
{
    Case c = { .toy = toy_new(scratch, TOKENS_CHAR, 1) };
    make_lines(c.line, c.lines);
    return c;
}

static void case_free(Case *c)
{
    for (size_t i = 0; i < LINES; i++)
        buf_free(&c->line[i]);
    toy_free(c->toy);
}

static void translate(const Case *c, const SearchOptions *options, int workers, Translation *out)
{
    Pool *pool = pool_new(workers);
    Translator *t = translator_new(&c->toy->model, options, pool);
    translator_run(t, c->lines, LINES, out);
    translator_free(t);
    pool_free(pool);
}

static void translations_free(Translation *out)
{
    for (int i = 0; i < LINES; i++)
        translation_free(&out[i]);
}

static SearchOptions beam_of(int beam, int nbest, int batch)
{
    SearchOptions options = search_defaults();
    options.beam = beam;
    options.nbest = nbest;
    options.batch = batch;
    return options;
}

/* ---- what a translation holds ---- */

static void assert_source(const Chunk *chunk, const Tokenizer *tokenizer, const char *text)
{
    Ids ids = { 0 };
    tokenizer_encode(tokenizer, text, strlen(text), &ids, NULL);
    ids_add(&ids, ID_EOS);
    assert_int_equal(chunk->source_length, ids.count);
    assert_memory_equal(chunk->source_ids, ids.id, ids.count * sizeof *ids.id);
    ids_free(&ids);
}

static void each_sentence_of_a_line_should_be_translated_by_itself(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(3, 2, 4);
    Translation out[LINES];
    translate(&c, &options, 2, out);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(out[i].chunks, i % 4);
        assert_int_equal(out[i].count, i % 4 ? 2 : 0);
        for (int k = 0; k < i % 4; k++)
            assert_source(&out[i].chunk[k], c.toy->model.source,
                          toy_sources[(3 * i + 5 * k) % TOY_PAIRS]);
    }
    translations_free(out);
    case_free(&c);
}

static void text_should_be_what_the_ids_say(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(3, 3, 4);
    Translation out[LINES];
    Buf text = { 0 };
    translate(&c, &options, 1, out);
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < out[i].count; k++) {
            const LineHypothesis *h = &out[i].hypothesis[k];
            double log_probability = 0, score = 0;
            buf_clear(&text);
            for (size_t s = 0; s < out[i].chunks; s++) {
                const Hypothesis *f = &out[i].chunk[s].hypothesis[k];
                if (s) buf_putc(&text, ' ');
                tokenizer_decode(c.toy->model.target, f->ids, (size_t)f->length, NULL, &text);
                log_probability += f->log_probability;
                score += f->log_probability / f->length / (double)out[i].chunks;
            }
            assert_string_equal(h->text, text.text);
            assert_true(h->log_probability == log_probability && h->score == score);
            assert_true(!k || h->score <= out[i].hypothesis[k - 1].score);
        }
    buf_free(&text);
    translations_free(out);
    case_free(&c);
}

static void no_more_translations_should_be_given_than_the_beam_keeps(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(2, 7, 64);
    Translation out[LINES];
    translate(&c, &options, 1, out);
    assert_int_equal(out[1].count, 2);
    translations_free(out);
    case_free(&c);
}

static void an_end_alone_should_be_an_empty_text(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out[LINES];
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 100;
    translate(&c, &options, 1, out);
    assert_int_equal(out[1].count, 1);
    assert_string_equal(out[1].hypothesis[0].text, "");
    assert_int_equal(out[1].chunk[0].hypothesis[0].length, 1);
    assert_string_equal(out[3].hypothesis[0].text, "");
    translations_free(out);
    case_free(&c);
}

/* ---- how the lines were shared out ---- */

static void assert_same_bytes(const Hypothesis *a, const Hypothesis *b, int width)
{
    assert_int_equal(a->length, b->length);
    assert_true(a->log_probability == b->log_probability && a->score == b->score);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_memory_equal(a->attention, b->attention,
                        (size_t)(a->length * width) * sizeof *a->attention);
}

/* OpenBLAS's products of other sizes may round otherwise: log P is a sum of up to some 150 words,
 * each out of some ten layers and steps with sums up to 48 long. */
static void assert_same_translation(const Hypothesis *a, const Hypothesis *b, int width)
{
    (void)width;
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_near(&(real){ (real)a->log_probability }, &b->log_probability, 1, 150 * 480);
}

typedef void (*Compare)(const Hypothesis *a, const Hypothesis *b, int width);

static void compare_lines(const Translation *a, const Translation *b, Compare compare)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->chunks, b->chunks);
    for (int k = 0; k < a->count; k++) {
        assert_string_equal(a->hypothesis[k].text, b->hypothesis[k].text);
        for (size_t s = 0; s < a->chunks; s++)
            compare(&a->chunk[s].hypothesis[k], &b->chunk[s].hypothesis[k],
                    a->chunk[s].source_length);
    }
}

static void check_shared_at(Case *c, Precision precision, int batch, int workers, Compare compare)
{
    SearchOptions options = beam_of(3, 2, 4), others = beam_of(3, 2, batch);
    options.precision = others.precision = (int)precision;
    Translation expected[LINES], out[LINES];
    translate(c, &options, 1, expected);
    translate(c, &others, workers, out);
    for (int i = 0; i < LINES; i++)
        compare_lines(&out[i], &expected[i], compare);
    translations_free(expected);
    translations_free(out);
}

static void check_shared(Case *c, int batch, int workers, Compare compare)
{
    check_shared_at(c, PRECISION_FLOAT, batch, workers, compare);
}

static void threads_and_batches_should_not_show(void **state)
{
    Case c = case_new(*state);
    check_shared(&c, 4, 3, assert_same_bytes);
    check_shared(&c, 4, 8, assert_same_bytes);
    const Compare others = gemm_is_fastest() ? assert_same_bytes : assert_same_translation;
    check_shared(&c, 1, 1, others);
    check_shared(&c, 64, 2, others);
    case_free(&c);
}

/* In 8 bits small weights stay in float. Where OpenBLAS multiplies by them, what its products round
 * otherwise can be another integer after that. */
static void rounded_products_should_not_show_batches_and_threads_either(void **state)
{
    Case c = case_new(*state);
    for (Precision precision = PRECISION_BF16; precision <= PRECISION_INT8; precision++) {
        if (!precision_works(precision)) continue;
        if (precision == PRECISION_INT8 && !gemm_is_fastest()) continue;
        check_shared_at(&c, precision, 1, 1, assert_same_bytes);
        check_shared_at(&c, precision, 64, 3, assert_same_bytes);
    }
    case_free(&c);
}

/* log P of the first line, which has words. */
static double probability_at(const Case *c, Precision precision)
{
    SearchOptions options = beam_of(2, 1, 4);
    options.precision = (int)precision;
    Translation out[LINES];
    translate(c, &options, 1, out);
    const double log_probability = out[1].chunk->hypothesis->log_probability;
    translations_free(out);
    return log_probability;
}

/* A factor is off by 2^-9 at most, or by 2^-8 of the largest beside it; the logits of a network
 * that has learned nothing are of order 1 and by far less than a tenth off, each of 30 words. */
static void rounded_products_should_be_a_little_off(void **state)
{
    Case c = case_new(*state);
    const double exact = probability_at(&c, PRECISION_FLOAT);
    for (Precision precision = PRECISION_BF16; precision <= PRECISION_INT8; precision++) {
        if (!precision_works(precision)) continue;
        const double rounded = probability_at(&c, precision);
        assert_true(rounded != exact && fabs(rounded - exact) < 3);
    }
    case_free(&c);
}

static void a_translator_should_serve_many_runs(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(2, 1, 3);
    Translation first[LINES], second[LINES];
    Pool *pool = pool_new(2);
    Translator *t = translator_new(&c.toy->model, &options, pool);
    translator_run(t, c.lines, LINES, first);
    translator_run(t, c.lines, 0, second);
    translator_run(t, c.lines, LINES, second);
    for (int i = 0; i < LINES; i++)
        compare_lines(&first[i], &second[i], assert_same_bytes);
    translations_free(first);
    translations_free(second);
    translator_free(t);
    pool_free(pool);
    case_free(&c);
}

/* ---- long lines ---- */

static Translation translate_one(const Case *c, const SearchOptions *options, const char *line)
{
    Translation out;
    Translator *t = translator_new(&c->toy->model, options, c->toy->training.pool);
    translator_run(t, &line, 1, &out);
    translator_free(t);
    return out;
}

/* The text of a part of a sentence that was made a sentence. */
static void undo_sentence(const Chunk *chunk, Buf *text)
{
    if (chunk->small) text->text[0] = (char)(text->text[0] | 0x20);
    if (!chunk->tail) return;
    assert_int_equal(text->text[text->length - 1], '.');
    text->text[--text->length] = '\0';
    buf_puts(text, chunk->tail);
}

/* The source of all chunks, joined; none is longer than some 80 tokens. */
static void assert_nothing_is_left_out(const Case *c, const Translation *t, const char *line)
{
    Buf text = { 0 }, all = { 0 };
    for (size_t i = 0; i < t->chunks; i++) {
        const Chunk *s = &t->chunk[i];
        assert_in_range(s->source_length, 2, CHUNK_TOKENS + 5);
        assert_int_equal(s->source_ids[s->source_length - 1], ID_EOS);
        buf_clear(&text);
        tokenizer_decode(c->toy->model.source, s->source_ids, (size_t)s->source_length, NULL,
                         &text);
        undo_sentence(s, &text);
        joint_add(&all, s->joint, text.text);
    }
    assert_string_equal(all.text, line);
    buf_free(&text);
    buf_free(&all);
}

static void check_long_line(const Case *c, const char *unit, int times)
{
    SearchOptions options = beam_of(1, 1, 64);
    Buf line = { 0 };
    for (int i = 0; i < times; i++)
        buf_puts(&line, unit);
    if (line.text[line.length - 1] == ' ') line.text[--line.length] = '\0';
    for (options.split = 0; options.split <= 1; options.split++) {
        Translation out = translate_one(c, &options, line.text);
        assert_int_equal(out.count, 1);
        assert_true(out.chunks >= line.length / CHUNK_TOKENS);
        assert_nothing_is_left_out(c, &out, line.text);
        translation_free(&out);
    }
    buf_free(&line);
}

static void no_part_of_a_long_line_should_be_left_out(void **state)
{
    Case c = case_new(*state);
    /* saves time */
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 100;
    check_long_line(&c, "a", 5000);
    check_long_line(&c, "ma ", 2000);
    check_long_line(&c, "He is here. ", 500);
    check_long_line(&c, "the cat is here ", 500);
    case_free(&c);
}

/* ---- parts of sentences ---- */

static void assert_chunk(const Case *c, const Chunk *chunk, const char *mark, const char *source,
                         int small, const char *tail)
{
    assert_source(chunk, c->toy->model.source, source);
    assert_string_equal(chunk->mark ? chunk->mark : "", mark);
    assert_int_equal(chunk->small, small);
    assert_true(!chunk->tail == !tail);
    if (tail) assert_string_equal(chunk->tail, tail);
}

/* Each token is a letter, so that all of these are long. */
static void parts_of_sentences_should_be_translated_as_sentences(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out = translate_one(&c, &options,
                                    "- He is here; she is calm, but the cat sleeps. — Is.");
    assert_int_equal(out.chunks, 4);
    assert_chunk(&c, &out.chunk[0], "- ", "He is here.", 0, ";");
    assert_chunk(&c, &out.chunk[1], "", "She is calm.", 1, ",");
    assert_chunk(&c, &out.chunk[2], "", "but the cat sleeps. ", 0, NULL);   /* B is unknown */
    assert_chunk(&c, &out.chunk[3], "— ", "Is.", 0, NULL);
    translation_free(&out);
    out = translate_one(&c, &options, "Tom: Good night! 1. Yes");
    assert_int_equal(out.chunks, 3);
    assert_chunk(&c, &out.chunk[0], "", "Tom.", 0, ":");
    assert_chunk(&c, &out.chunk[1], "", "Good night! ", 0, NULL);
    assert_chunk(&c, &out.chunk[2], "", "1. Yes", 0, NULL);
    translation_free(&out);
    case_free(&c);
}

static Chunk chunk_of(const char *mark, Joint joint, const char *text, int small, const char *tail)
{
    Chunk chunk = { .joint = joint, .small = small, .count = 1 };
    chunk.mark = mark ? xstrdup(mark) : NULL;
    chunk.tail = tail ? xstrdup(tail) : NULL;
    chunk.text = xmalloc(1, sizeof *chunk.text);
    chunk.text[0] = xstrdup(text);
    chunk.hypothesis = xcalloc(1, sizeof *chunk.hypothesis);
    return chunk;
}

static void assert_joined(const Chunk *chunks, size_t count, const char *expected)
{
    Translation t = { .chunks = count };
    t.chunk = xmalloc(count, sizeof *t.chunk);
    memcpy(t.chunk, chunks, count * sizeof *chunks);
    translation_join(&t);
    assert_string_equal(t.hypothesis[0].text, expected);
    translation_free(&t);
}

static void parts_should_join_to_one_sentence_again(void **state)
{
    (void)state;
    const Chunk clauses[] = { chunk_of("  - ", JOINT_NONE, "Il est ici.", 0, " ;"),
                              chunk_of(NULL, JOINT_BLANK, "Mais elle dort !", 1, ","),
                              chunk_of(NULL, JOINT_BLANK, "Et il part...", 1, ""),
                              chunk_of(NULL, JOINT_BLANK, "Car il pleut.", 1, NULL),
                              chunk_of("— ", JOINT_BLANK, "Oui.", 0, NULL) };
    assert_joined(clauses, 5,
                  "  - Il est ici ; mais elle dort, et il part car il pleut. — Oui.");
    const Chunk kept[] = { chunk_of(NULL, JOINT_NONE, "Yes", 0, ","),
                           chunk_of(NULL, JOINT_BLANK, "I am.", 1, ","),
                           chunk_of(NULL, JOINT_BLANK, "USA.", 1, ","),
                           chunk_of(NULL, JOINT_BLANK, "Été.", 1, NULL) };
    assert_joined(kept, 4, "Yes, I am, USA, été.");
    const Chunk empty[] = { chunk_of(NULL, JOINT_NONE, "", 1, NULL),
                            chunk_of(NULL, JOINT_BLANK, ".", 1, NULL) };
    assert_joined(empty, 2, ".");
}

static void a_prefix_should_stand_behind_the_mark(void **state)
{
    Case c = case_new(*state);
    static const char *const lines[] = { "- He is here.", "- He is here." };
    static const char *const prefixes[] = { "Le", "- Le" };
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out[2];
    Pool *pool = pool_new(1);
    Translator *t = translator_new(&c.toy->model, &options, pool);
    translator_continue(t, lines, prefixes, 2, out);
    assert_memory_equal(out[0].hypothesis[0].text, "- Le", 4);
    assert_string_equal(out[1].hypothesis[0].text, out[0].hypothesis[0].text);
    translation_free(&out[0]);
    translation_free(&out[1]);
    translator_free(t);
    pool_free(pool);
    case_free(&c);
}

static void without_split_a_line_should_be_cut_only_where_it_is_too_long(void **state)
{
    Case c = case_new(*state);
    SearchOptions options = beam_of(1, 1, 64);
    options.split = 0;
    Translation out = translate_one(&c, &options, "He is here. She is here.");
    assert_int_equal(out.chunks, 1);
    assert_source(&out.chunk[0], c.toy->model.source, "He is here. She is here.");
    translation_free(&out);
    case_free(&c);
}

static void hypotheses_of_a_line_should_join_the_last_of_a_chunk_that_has_fewer(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(4, 4, 64);
    Translation out = translate_one(&c, &options, "Thank you. Good night!");
    Chunk *first = &out.chunk[0];
    assert_int_equal(out.count, 4);
    assert_ptr_equal(chunk_hypothesis(first, 3), &first->hypothesis[3]);
    first->count = 2;
    assert_ptr_equal(chunk_hypothesis(first, 3), &first->hypothesis[1]);
    first->count = 4;
    translation_free(&out);
    case_free(&c);
}

static void lines_that_show_nothing_should_have_no_translation(void **state)
{
    static const char *const blanks[] = { "", " ", "\t \r", "\xC2\xA0", "\xE3\x80\x80",
                                          "\xE2\x80\x8B\xE2\x80\x8D", "\xEF\xBB\xBF",
                                          "\xE2\x80\xA8\xC2\x85", "\x1B\x07", NULL };
    const int kinds[] = { TOKENS_BPE, TOKENS_CHAR, TOKENS_WORD };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        Case c = { .toy = toy_new(*state, kinds[kind], 1) };
        const SearchOptions options = beam_of(2, 1, 64);
        for (const char *const *blank = blanks; *blank; blank++) {
            Translation out = translate_one(&c, &options, *blank);
            assert_int_equal(out.count, 0);
            translation_free(&out);
        }
        toy_free(c.toy);
    }
}

/* ---- copies ---- */

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

/* A toy that writes <unk> wherever it may. */
static Case case_of_unknowns(Scratch *scratch, int tokens)
{
    Case c = { .toy = toy_new(scratch, tokens, 1) };
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_UNK] = 100;
    return c;
}

static void check_copies(Scratch *scratch, int tokens)
{
    Case c = case_of_unknowns(scratch, tokens);
    SearchOptions options = beam_of(3, 2, 64);
    for (options.attention = 0; options.attention <= 1; options.attention++) {
        Translation out = translate_one(&c, &options,
                                        "I am Жж, she is \xE2\x98\x83. The cat. Good Ψ!");
        const char *const first = out.chunk[0].text[0], *const whole = out.hypothesis[0].text;
        assert_int_equal(out.chunks, 3);
        assert_true(occurrences(first, "Жж") == 1 && occurrences(first, "\xE2\x98\x83") == 1);
        assert_true(occurrences(whole, "Жж") == 1 && occurrences(whole, "Ψ") == 1);
        assert_int_equal(occurrences(whole, "<unk>"), 0);
        for (size_t s = 0; s < out.chunks; s++)
            for (int i = 0; i < out.chunk[s].unknowns; i++)
                assert_non_null(strstr(out.chunk[s].text[0], out.chunk[s].unknown[i]));
        assert_int_equal(out.chunk[1].unknowns, 0);
        assert_true(!out.chunk[0].hypothesis[0].attention == !options.attention);
        translation_free(&out);
    }
    case_free(&c);
}

static void what_is_unknown_should_be_copied_once_and_never_be_written_otherwise(void **state)
{
    check_copies(*state, TOKENS_BPE);
    check_copies(*state, TOKENS_CHAR);
}

static void what_is_not_copied_should_be_reported(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_CHAR);
    const SearchOptions options = beam_of(1, 1, 64);
    weights_at(c.toy->model.table, c.toy->model.weights).output_bias[ID_EOS] = 200;
    Translation out = translate_one(&c, &options, "I am Жж.");
    assert_int_equal(out.chunk[0].unknowns, 1);
    assert_string_equal(out.chunk[0].unknown[0], "Жж");
    assert_null(strstr(out.chunk[0].text[0], out.chunk[0].unknown[0]));
    translation_free(&out);
    case_free(&c);
}

static void models_of_words_should_keep_unk(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_WORD);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out = translate_one(&c, &options, "I am calm.");
    assert_int_equal(out.chunk[0].unknowns, 0);
    assert_int_equal(occurrences(out.hypothesis[0].text, "<unk>"),
                     out.chunk[0].hypothesis[0].length);
    translation_free(&out);
    case_free(&c);
}

static void a_line_should_stay_one_whatever_is_copied(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_CHAR);
    const SearchOptions options = beam_of(1, 1, 64);
    Translation out = translate_one(&c, &options, "I am \xE2\x98\x83\xE2\x80\xA8\xE2\x98\x83\r"
                                                  "\xE2\x98\x83\xC2\x85.");
    for (const char *at = out.hypothesis[0].text; *at;) {
        int32_t point = unicode_next(&at);
        assert_false(point == 0x2028 || unicode_is_control(point));
    }
    translation_free(&out);
    case_free(&c);
}

/* ---- prefixes and scores ---- */

static const char *best_text(const Translation *t)
{
    return t->count ? t->hypothesis[0].text : "";
}

static void a_line_should_begin_with_its_prefix(void **state)
{
    static const char *const prefix[LINES] = { [1] = "la", [2] = "", [3] = "Ω la" };
    Case c = case_new(*state);
    const SearchOptions options = beam_of(3, 3, 4);
    Translation out[LINES], plain[LINES];
    translate(&c, &options, 1, plain);
    Translator *t = translator_new(&c.toy->model, &options, c.toy->training.pool);
    translator_continue(t, c.lines, prefix, LINES, out);
    for (int i = 0; i < LINES; i++) {
        for (int k = 0; k < out[i].count && i < 4 && prefix[i]; k++)
            assert_memory_equal(out[i].hypothesis[k].text, prefix[i], strlen(prefix[i]));
        if (i != 1 && i != 3) assert_string_equal(best_text(&out[i]), best_text(&plain[i]));
    }
    translator_free(t);
    translations_free(out);
    translations_free(plain);
    case_free(&c);
}

static void a_translation_should_be_scored_as_it_was_found(void **state)
{
    Case c = case_new(*state);
    SearchOptions options = beam_of(3, 1, 4);
    options.split = 0;
    options.alternatives = 2;
    Translation out[LINES], scored[LINES];
    const char *target[LINES];
    translate(&c, &options, 1, out);
    for (int i = 0; i < LINES; i++)
        target[i] = best_text(&out[i]);
    Translator *t = translator_new(&c.toy->model, &options, c.toy->training.pool);
    assert_int_equal(translator_score(t, c.lines, target, LINES, scored), LINES);
    for (int i = 0; i < LINES; i++) {
        const Hypothesis *found = out[i].count ? out[i].chunk->hypothesis : NULL;
        const Hypothesis *h = scored[i].chunk->hypothesis;
        assert_int_equal(scored[i].chunks, 1);
        assert_int_equal(scored[i].count, 1);
        assert_string_equal(scored[i].hypothesis[0].text, target[i]);
        assert_true(h->alternatives[0].log_probability >= h->log_probabilities[0]);
        if (found && found->ids[found->length - 1] == ID_EOS)
            assert_same_translation(h, found, scored[i].chunk->source_length);
    }
    translator_free(t);
    translations_free(out);
    translations_free(scored);
    case_free(&c);
}

static void what_is_too_long_should_not_be_scored(void **state)
{
    Case c = case_new(*state);
    const SearchOptions options = beam_of(1, 1, 64);
    Buf line = { 0 };
    for (int i = 0; i < SCORE_TOKENS - 1; i++)
        buf_putc(&line, 'a');
    char *longest = xstrdup(line.text + 1);      /* with the mark of a blank and <eos> */
    const char *const lines[] = { "a", longest, "a", line.text };
    const char *const target[] = { longest, "a", line.text, "a" };
    Translation out[4];
    Translator *t = translator_new(&c.toy->model, &options, c.toy->training.pool);
    assert_int_equal(translator_score(t, lines, target, 4, out), 2);
    assert_int_equal(out[0].chunk->hypothesis->length, SCORE_TOKENS);
    assert_int_equal(out[1].chunk->source_length, SCORE_TOKENS);
    translation_free(&out[0]);
    translation_free(&out[1]);
    assert_int_equal(translator_score(t, lines + 3, target + 3, 1, out), 0);
    translator_free(t);
    free(longest);
    buf_free(&line);
    case_free(&c);
}

/* ---- chance ---- */

static void what_is_drawn_should_not_depend_on_how_the_lines_came(void **state)
{
    Case c = case_new(*state);
    SearchOptions options = search_defaults();
    options.sample = 1;
    options.nbest = 3;
    options.sampling.temperature = 2;
    Translation once[LINES], parts[LINES];
    translate(&c, &options, 2, once);
    options.batch = 3;
    Translator *t = translator_new(&c.toy->model, &options, c.toy->training.pool);
    translator_run(t, c.lines, 5, parts);
    translator_run(t, c.lines + 5, LINES - 5, parts + 5);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(once[i].count, i % 4 ? 3 : 0);
        compare_lines(&parts[i], &once[i], assert_same_translation);
    }
    translator_free(t);
    translations_free(once);
    translations_free(parts);
    case_free(&c);
}

/* ---- ensembles ---- */

static void models_should_translate_together_only_if_they_name_words_alike(void **state)
{
    static const char *const names[] = { "one", "two" };
    Toy *chars = toy_new(*state, TOKENS_CHAR, 1), *again = toy_new(*state, TOKENS_CHAR, 1);
    Toy *words = toy_new(*state, TOKENS_WORD, 1), *bpe = toy_new(*state, TOKENS_BPE, 1);
    Err e;
    assert_int_equal(ensemble_check((Model[]){ chars->model, again->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ bpe->model, bpe->model }, names, 2, &e), 0);
    assert_int_equal(ensemble_check((Model[]){ chars->model, words->model }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "one and two can't translate together: their source "
                                   "vocabularies differ: one has --tokens that the other has "
                                   "not"));
    Model mixed = again->model;
    mixed.target = again->model.source;
    assert_int_equal(ensemble_check((Model[]){ chars->model, mixed }, names, 2, &e), -1);
    assert_non_null(strstr(e.text, "target vocabularies differ: "));
    toy_free(chars);
    toy_free(again);
    toy_free(words);
    toy_free(bpe);
}

/* ---- unknown words ---- */

static void unknown_words_should_be_replaced_where_that_is_wanted(void **state)
{
    Case c = case_of_unknowns(*state, TOKENS_WORD);
    SearchOptions options = beam_of(2, 2, 64);
    options.replace_unknown = 1;
    for (options.attention = 0; options.attention <= 1; options.attention++) {
        Translation out = translate_one(&c, &options, "I am Жж");
        const Hypothesis *h = out.chunk[0].hypothesis;
        char *text = xstrdup(out.hypothesis[0].text);
        int words = 0;
        for (char *at = strtok(text, " "); at; at = strtok(NULL, " "), words++)
            assert_true(!strcmp(at, "I") || !strcmp(at, "am") || !strcmp(at, "Жж"));
        assert_int_equal(words, h->length - (h->ids[h->length - 1] == ID_EOS));
        assert_true(!h->attention == !options.attention);
        free(text);
        translation_free(&out);
    }
    case_free(&c);
}

/* The k-th <unk> of a hypothesis and its replacement are what a heatmap shows; decoded with them,
 * the ids are the text. Line 0 has no unknown word, but what is written may still be one. */
static void replacements_should_be_those_of_the_text(void **state)
{
    static const char *const lines[] = { "I am calm", "I am Жж" };
    for (int replace = 0; replace <= 1; replace++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            Case c = case_of_unknowns(*state, TOKENS_WORD);
            SearchOptions options = beam_of(2, 1, 64);
            options.replace_unknown = replace;
            Translation out = translate_one(&c, &options, lines[i]);
            const Chunk *chunk = out.chunk;
            const Hypothesis *h = chunk_hypothesis(chunk, 0);
            const char **list = chunk_replacements(chunk, h, c.toy->model.source);
            Buf text = { 0 };
            assert_true(!list == !replace);
            tokenizer_decode(c.toy->model.target, h->ids, (size_t)h->length, list, &text);
            assert_string_equal(text.text, chunk->text[0]);
            free(list);
            buf_free(&text);
            translation_free(&out);
            case_free(&c);
        }
}

/* ---- giving up ---- */

typedef struct { atomic_int stop; int microseconds; } Stopper;

static void *stop_soon(void *context)
{
    Stopper *stopper = context;
    usleep((useconds_t)stopper->microseconds);
    atomic_store(&stopper->stop, 2);
    return NULL;
}

/* Lines of which those with words have a translation each; returns how many have. */
static int count_translated(const Translation *out)
{
    int count = 0;
    for (int i = 0; i < LINES; i++)
        count += out[i].count > 0;
    return count;
}

static void a_run_that_is_stopped_should_give_nothing_and_the_next_all(void **state)
{
    enum { WITH_WORDS = LINES - (LINES + 3) / 4, TIMES = 24, STEP = 100 };
    Case c = case_new(*state);
    Pool *pool = pool_new(2);
    Stopper stopper = { 0 };
    SearchOptions options = beam_of(5, 2, 3);
    options.stop = &stopper.stop;
    Translator *t = translator_new(&c.toy->model, &options, pool);
    for (int i = 0; i < TIMES; i++) {
        stopper.microseconds = i * STEP;
        pthread_t thread;
        Translation out[LINES];
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
        translator_run(t, c.lines, LINES, out);
        const int translated = count_translated(out);
        pthread_join(thread, NULL);
        assert_true(translated == 0 || translated == WITH_WORDS);
        translations_free(out);

        translator_run(t, c.lines, LINES, out);
        assert_int_equal(count_translated(out), 0);
        assert_int_equal(translator_score(t, c.lines, c.lines, LINES, out), LINES);
        assert_int_equal(count_translated(out), 0);
        atomic_store(&stopper.stop, 0);
        translator_run(t, c.lines, LINES, out);
        assert_int_equal(count_translated(out), WITH_WORDS);
        translations_free(out);
    }
    translator_free(t);
    pool_free(pool);
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_scratch(each_sentence_of_a_line_should_be_translated_by_itself),
        in_scratch(text_should_be_what_the_ids_say),
        in_scratch(no_more_translations_should_be_given_than_the_beam_keeps),
        in_scratch(an_end_alone_should_be_an_empty_text),
        in_scratch(threads_and_batches_should_not_show),
        in_scratch(rounded_products_should_not_show_batches_and_threads_either),
        in_scratch(rounded_products_should_be_a_little_off),
        in_scratch(a_translator_should_serve_many_runs),
        in_scratch(no_part_of_a_long_line_should_be_left_out),
        in_scratch(without_split_a_line_should_be_cut_only_where_it_is_too_long),
        in_scratch(parts_of_sentences_should_be_translated_as_sentences),
        cmocka_unit_test(parts_should_join_to_one_sentence_again),
        in_scratch(a_prefix_should_stand_behind_the_mark),
        in_scratch(hypotheses_of_a_line_should_join_the_last_of_a_chunk_that_has_fewer),
        in_scratch(lines_that_show_nothing_should_have_no_translation),
        in_scratch(what_is_unknown_should_be_copied_once_and_never_be_written_otherwise),
        in_scratch(what_is_not_copied_should_be_reported),
        in_scratch(models_of_words_should_keep_unk),
        in_scratch(a_line_should_stay_one_whatever_is_copied),
        in_scratch(a_line_should_begin_with_its_prefix),
        in_scratch(a_translation_should_be_scored_as_it_was_found),
        in_scratch(what_is_too_long_should_not_be_scored),
        in_scratch(what_is_drawn_should_not_depend_on_how_the_lines_came),
        in_scratch(models_should_translate_together_only_if_they_name_words_alike),
        in_scratch(unknown_words_should_be_replaced_where_that_is_wanted),
        in_scratch(replacements_should_be_those_of_the_text),
        in_scratch(a_run_that_is_stopped_should_give_nothing_and_the_next_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
