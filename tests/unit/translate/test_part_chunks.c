/* test_part_chunks.c - parts of sentences at marks that training has seldom seen, asides and tags:
 * what each becomes for the network, and that marks, tags and alignments come back.
 */
#include "base/mem.h"
#include "learn_lines.h"
#include "lexicon_case.h"
#include "translate/chunks.h"
#include "translate/line_alignment.h"
#include "translate/tagged_text.h"
#include "translator_case.h"

static const char *const letters[] = { "abcdefghijklmnopqrstuvwxyz THI.,?!;:()-–'" };
static const char rare_marks[] = "['; : ( -','','','','','','. , the cat is here he dog I']";
static const char usual_marks[] = "['','','','','','','. , ; : ( ) - the cat is here he dog I']";

/* 64 semicolons to 8,192 full stops. */
static const char rare_semicolon[] =
    "['','','','','','','; the cat is he','','','','','','','.']";

/* A world where sources and targets are of one language, or targets of one with guillemets. */
typedef struct { Tokenizer *tokenizer; Lexicon *lexicon, *french; Chunker chunker; } World;

static World world_new(const char *lexicon_text)
{
    TextOptions options = text_defaults();
    options.tokens = TOKENS_CHAR;
    options.truecase = 1;
    World w = { .tokenizer = learn_lines(&options, letters, 1),
                .lexicon = lexicon_of(lexicon_text), .french = lexicon_of("['\\u00AB']") };
    const Language language = { .tokenizer = w.tokenizer, .lexicon = w.lexicon };
    w.chunker = (Chunker){ .source = language, .target = language, .split = 1 };
    return w;
}

static void world_free(World *w)
{
    lexicon_free(w->lexicon);
    lexicon_free(w->french);
    tokenizer_free(w->tokenizer);
}

static char *source_text(const World *w, const Chunk *chunk)
{
    Buf text = { 0 };
    buf_clear(&text);
    tokenizer_decode(w->tokenizer, chunk->source_ids, (size_t)chunk->source_length, NULL, &text);
    return text.text;
}

/* Chunks as mark[source]tail, with a blank between two; ^ if the translation gets a capital. */
static void assert_chunks(const World *w, const char *line, const char *expected)
{
    Translation cut = chunk_line(&w->chunker, line);
    Buf out = { 0 };
    buf_clear(&out);
    for (const Chunk *s = cut.chunk; s < cut.chunk + cut.chunks; s++) {
        char *text = source_text(w, s);
        buf_printf(&out, "%s%s%s[%s]%s", s > cut.chunk ? " " : "", chunk_opening(s),
                   s->output == CASE_FIRST_CAPITAL ? "^" : "", text, s->tail ? s->tail : "");
        free(text);
    }
    assert_string_equal(out.text, expected);
    translation_free(&cut);
    buf_free(&out);
}

static void marks_that_training_has_seldom_seen_should_part_a_sentence(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_chunks(&w, "He is; the cat", "^[he is.]; [the cat.]");
    assert_chunks(&w, "he: a dog?", "[he.]: [a dog?]");
    assert_chunks(&w, "The cat (he is), a dog.", "^[the cat, a dog.] [he is.]");
    assert_chunks(&w, "The cat (he is. I is.) is", "^[the cat is] [he is.] ^[I is.]");
    assert_chunks(&w, "(he?) is", "([he?]?) [is.]");
    assert_chunks(&w, "(The cat.)", "(^[the cat.].)");
    assert_chunks(&w, "(The cat; he.)", "(^[the cat; he.].)");
    assert_chunks(&w, "he is – the cat – here", "[he is here] [the cat.]");
    assert_chunks(&w, "he (- a dog) is", "[he is] - [a dog.]");
    assert_chunks(&w, "he (-------------------- a) is", "[he is] -------------------- [a.]");
    assert_chunks(&w, "he – the cat", "[he.] – [the cat.]");
    assert_chunks(&w, "He is—the cat", "^[he is.] —[the cat.]");
    assert_chunks(&w, "he is--the cat", "[he is.] --[the cat.]");
    assert_chunks(&w, "he—the cat—is here", "[he is here] [the cat.]");
    assert_chunks(&w, "he (the cat", "[he (the cat]");
    assert_chunks(&w, "\"The cat,\" he is.", "\"^[the cat.],\" [he is.]");
    w.chunker.target.lexicon = w.french;
    assert_chunks(&w, "\"The cat,\" he is.", "« ^[the cat.] », [he is.]");
    world_free(&w);
    w = world_new(rare_semicolon);
    assert_chunks(&w, "he is; the cat", "[he is.]; [the cat.]");
    world_free(&w);
}

static void an_ellipsis_that_training_has_seldom_seen_should_be_no_stop(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_chunks(&w, "He is... the cat?", "^[he is.]... [the cat?]");
    assert_chunks(&w, "He is.... The cat.", "^[he is.].... ^[the cat.]");
    assert_chunks(&w, "He is...", "^[he is.]...");
    assert_chunks(&w, "...he is...", "...[he is.]...");
    assert_chunks(&w, "he is; the cat...", "[he is.]; [the cat.]...");
    assert_chunks(&w, "he (the cat...) is", "[he is] [the cat.]...");
    assert_chunks(&w, "...", "[...]");
    Translation cut = chunk_line(&w.chunker, "he is ...");
    assert_int_equal(cut.chunk[0].tail_words, 1);
    translation_free(&cut);
    w.chunker.split = 0;
    assert_chunks(&w, "He is... the cat...", "^[he is... the cat...]");
    world_free(&w);
    w = world_new("['','','','','','','... . the cat is he']");
    assert_chunks(&w, "He is... the cat...", "^[he is... the cat...]");
    world_free(&w);
}

/* Without a tail a translation keeps its own marks. */
static void assert_tail(const World *w, const char *line, const char *expected)
{
    Translation cut = chunk_line(&w->chunker, line);
    const char *tail = cut.chunk[cut.chunks - 1].tail;
    assert_true(!tail == !expected);
    if (tail) assert_string_equal(tail, expected);
    translation_free(&cut);
}

static void a_line_without_a_stop_should_get_none(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_tail(&w, "the cat", "");
    assert_tail(&w, "the cat,", ",");
    assert_tail(&w, "he is. the cat", "");
    assert_tail(&w, "he is? the cat :", ":");
    assert_tail(&w, "the cat.", NULL);
    assert_tail(&w, "the cat!)", NULL);
    char word[3 * CHUNK_TOKENS + 1] = "";
    memset(word, 'h', sizeof word - 1);
    Translation cut = chunk_line(&w.chunker, word);
    assert_true(cut.chunks > 1);
    assert_null(cut.chunk[0].tail);
    translation_free(&cut);
    Lexicon *many_stops = lexicon_of("['','','','','','','','','','.']");
    w.chunker.target.lexicon = many_stops;
    assert_tail(&w, "the cat", NULL);
    w.chunker.target.lexicon = w.lexicon;
    w.chunker.split = 0;
    assert_tail(&w, "the cat", NULL);
    lexicon_free(many_stops);
    world_free(&w);
}

static void usual_marks_should_be_left_to_the_network(void **state)
{
    (void)state;
    World w = world_new(usual_marks);
    assert_chunks(&w, "he is; a cat", "[he is; a cat]");
    assert_chunks(&w, "he (the cat)", "[he (the cat)]");
    world_free(&w);
    w = world_new(rare_marks);
    w.chunker.split = 0;
    assert_chunks(&w, "he (the cat); is", "[he (the cat); is]");
    world_free(&w);
}

static void a_letter_before_a_colon_should_be_copied(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    Translation cut = chunk_line(&w.chunker, "I: the cat; a dog.");
    assert_int_equal(cut.chunks, 3);
    assert_int_equal(cut.chunk[0].prefix_length, 2);
    assert_int_equal(cut.chunk[0].prefix_ids[1], ID_EOS);
    assert_string_equal(cut.chunk[0].prefix_unknown[0], "I");
    assert_int_equal(cut.chunk[1].prefix_length, 0);
    translation_free(&cut);
    world_free(&w);
}

static void assert_copied(const World *w, const char *line, const char *copy)
{
    Translation cut = chunk_line(&w->chunker, line);
    const Chunk *chunk = cut.chunk;
    assert_int_equal(cut.chunks, 1);
    assert_int_equal(chunk->prefix_length > 0, copy != NULL);
    if (copy) {
        assert_int_equal(chunk->prefix_ids[chunk->prefix_length - 1], ID_EOS);
        assert_string_equal(chunk->prefix_unknowns ? chunk->prefix_unknown[0] : "", copy);
    }
    translation_free(&cut);
}

static void a_letter_or_marks_alone_should_be_copied(void **state)
{
    (void)state;
    World w = world_new("['','','','','','','','','','. he is a']");
    assert_copied(&w, "x", "x");
    assert_copied(&w, " X ", "X");
    assert_copied(&w, "- x", "x");
    assert_copied(&w, "-", "-");
    assert_copied(&w, " —  ", "—");
    assert_copied(&w, "x:", "x");
    assert_tail(&w, "x:", ":");
    assert_copied(&w, "?!", "?!");
    assert_copied(&w, "he", NULL);
    assert_copied(&w, "```he is", "```he is");
    assert_copied(&w, "  ~~~ he", "~~~ he");
    assert_copied(&w, "~~~he~~~", NULL);
    assert_copied(&w, "``he is", NULL);
    assert_copied(&w, "x is", NULL);
    assert_copied(&w, "x.", NULL);
    assert_copied(&w, "我", NULL);
    world_free(&w);
    w = world_new("['','','','','','','','','','','. he is a']");
    assert_copied(&w, "x", "x");
    assert_copied(&w, "a", NULL);
    world_free(&w);
}

static void words_that_always_have_a_capital_should_begin_no_sentence(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_chunks(&w, "he; I is (I)", "[he.]; [I is (I).]");
    assert_chunks(&w, "He (I is)", "^[he.] ([I is.])");
    assert_chunks(&w, "He; The cat", "^[he.]; ^[the cat.]");
    assert_chunks(&w, "he: I is", "[he.]: ^[I is.]");
    world_free(&w);
}

/* ---- translations that are their sources ---- */

/* The translation is the source: each token looks at itself. */
static void translate_to_itself(const World *w, Chunk *s)
{
    const int length = s->source_length;
    s->count = 1;
    s->hypothesis = xcalloc(1, sizeof *s->hypothesis);
    s->hypothesis[0].length = length;
    s->hypothesis[0].ids = xcalloc((size_t)length, sizeof *s->hypothesis[0].ids);
    s->hypothesis[0].attention = xcalloc((size_t)length * (size_t)length, sizeof(float));
    for (int i = 0; i < length; i++) {
        s->hypothesis[0].ids[i] = s->source_ids[i];
        s->hypothesis[0].attention[i * length + i] = 1;
    }
    s->text = xcalloc(1, sizeof *s->text);
    s->text[0] = source_text(w, s);
}

static Model model_of(const World *w)
{
    return (Model){ .source = w->tokenizer, .target = w->tokenizer,
                    .text = { .tokens = TOKENS_CHAR } };
}

static Translation line_to_itself(const World *w, const char *line)
{
    const Model model = model_of(w);
    Translation cut = chunk_line(&w->chunker, line);
    for (size_t i = 0; i < cut.chunks; i++) {
        Chunk *s = &cut.chunk[i];
        translate_to_itself(w, s);
        if (!s->tags) continue;
        s->tag_at = xmalloc(1, sizeof *s->tag_at);
        s->tag_at[0] = tag_bytes(s, &s->hypothesis[0], s->text[0], &model);
    }
    return cut;
}

static void assert_links(const World *w, const char *line, const char *expected)
{
    const Model model = model_of(w);
    Translation cut = line_to_itself(w, line);
    Buf links = { 0 };
    line_links(&cut, 0, &model, &links);
    assert_string_equal(links.text, expected);
    buf_free(&links);
    translation_free(&cut);
}

/* A line whose translation is itself should be itself, but for the marks of the target. */
static void assert_kept(const World *w, const char *line, const char *expected)
{
    Translation cut = line_to_itself(w, line);
    translation_join(&cut);
    assert_string_equal(cut.hypothesis[0].text, expected);
    translation_free(&cut);
}

static void blocks_should_be_translated_by_themselves(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_chunks(&w, "<td>the cat</td><td>a dog</td>", "[the cat] [a dog]");
    assert_chunks(&w, "<h1>the cat</h1>he is", "[the cat] [he is]");
    assert_chunks(&w, "| The cat | The dog |", "^[the cat] ^[the dog]");
    assert_chunks(&w, "the <b>cat</b> a <i>dog</i>", "[the cat a dog]");
    world_free(&w);
}

static void tags_should_come_back(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "he <b>is</b> a dog.", "<p>the <i>cat <b>is</b></i> here.</p>", "the *cat* is **here**!",
        "he is <br/> here.", "<p>he.</p> <p>the cat.</p>", "the <b>cat</b>; <i>a dog</i> is.",
        "he (<b>the cat</b>) is.", "a \"dog\" is.", "a <i></i>dog", "<b>is he</b>? a *dog*.",
        "<a href=\"x: y; z\">is</a> he", "**1.** the cat.", "<b>- the cat.</b>",
        "<li>- he.</li> <li>- a dog</li>", "the <i>cat. I <b>is</b></i> he.",
        "the cat (he) is here.", "the cat (a dog. he is.) is; he - is he? - is here.",
        "the <b>cat (a <i>dog</i>) is</b> here, he [a dog], is.", "he ( a dog ) is.", "| the cat | a dog |",
        "see [the *cat*](x.html), ![a dog](dog.png \"he is\").", "- [he](x) - is",
        "|the cat|a dog|", "the cat<br>a dog", "<p>he.</p><p>the cat.</p>", "the cat\ta dog\t\t", "| the cat | | he |", NULL
    };
    World w = world_new(rare_marks);
    for (const char *const *line = lines; *line; line++)
        assert_kept(&w, *line, *line);
    w.chunker.target.lexicon = w.french;
    assert_kept(&w, "a \"dog\" is.", "a « dog » is.");
    assert_kept(&w, "a “dog” is.", "a « dog » is.");
    assert_kept(&w, "(<b>is he?</b>) the cat.", "(<b>is he</b>?) the cat.");
    assert_kept(&w, "he. <b>\u200B</b>", "he.<b></b>");
    w.chunker.split = 0;
    assert_chunks(&w, "he is (*the cat*)", "[he is (<unk>the cat<unk>)]");
    world_free(&w);
}

static void words_behind_tags_should_keep_their_places(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_links(&w, "he <b>is</b> a dog", "0-0 1-1 2-2 3-3");
    assert_links(&w, "he <b id=\"a\">is</b> a dog", "0-0 2-2 3-3 4-4");
    assert_links(&w, "he <br/> is a dog", "0-0 2-2 3-3 4-4");
    assert_links(&w, "he « is » a dog", "0-0 2-1 4-2 5-3");
    w.chunker.target.lexicon = w.french;
    assert_links(&w, "he \"is\" a dog", "0-0 1-2 2-4 3-5");
    assert_links(&w, "he « is » a dog", "0-0 2-2 4-4 5-5");
    world_free(&w);
}

static void words_behind_marks_should_keep_their_places(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    assert_links(&w, "The cat (he is), a dog; I.", "0-0 1-1 2-2 3-3 4-4 5-5 6-6");
    assert_links(&w, "he – the cat – is", "0-0 2-2 3-3 5-5");
    assert_links(&w, "he is (a dog. he is, I.) here; I", "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8");
    assert_links(&w, "he (<b>a</b> dog) is ( I ) here", "0-0 1-1 2-2 3-3 5-5 7-7");
    assert_links(&w, "he ; the cat", "0-0 2-1 3-2");
    assert_links(&w, "he—the cat is", "0-0 1-1 2-2");
    assert_links(&w, "he—a cat—is here", "0-0 0-2 1-3 1-5 2-6");
    assert_links(&w, "(he ?) ; the cat", "0-0 3-1 4-2");
    assert_links(&w, "\"he,\" he is", "0-0 1-1 2-2");
    w.chunker.target.lexicon = w.french;
    assert_links(&w, "\"he,\" he is", "0-1 1-3 2-4");
    assert_links(&w, "(he) the cat", "0-0 1-1 2-2");
    world_free(&w);
}

/* It takes the link of its last word, also where the clause has a mark that attends elsewhere. */
static void a_mark_behind_an_aside_should_belong_to_it(void **state)
{
    (void)state;
    World w = world_new(rare_marks);
    const Model model = model_of(&w);
    Translation cut = line_to_itself(&w, "he (I), a dog");
    const Chunk *clause = &cut.chunk[0];
    const int length = clause->source_length;
    int mark = 0;
    while (strcmp(tokenizer_piece(w.tokenizer, clause->source_ids[mark]), ",") != 0)
        mark++;
    float *row = clause->hypothesis[0].attention + mark * length;
    row[mark] = 0;
    row[length - 2] = 1;
    Buf links = { 0 };
    line_links(&cut, 0, &model, &links);
    assert_string_equal(links.text, "0-0 1-1 2-2 3-3");
    buf_free(&links);
    translation_free(&cut);
    world_free(&w);
}

static void a_translation_of_nothing_but_marks_should_stay(void **state)
{
    (void)state;
    const Chunk chunk = { .tail = (char[]){ "" } };
    assert_int_equal(chunk_kept_length(&chunk, "a..."), 1);
    assert_int_equal(chunk_kept_length(&chunk, "..."), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_that_training_has_seldom_seen_should_part_a_sentence),
        cmocka_unit_test(an_ellipsis_that_training_has_seldom_seen_should_be_no_stop),
        cmocka_unit_test(a_line_without_a_stop_should_get_none),
        cmocka_unit_test(a_mark_behind_an_aside_should_belong_to_it),
        cmocka_unit_test(a_translation_of_nothing_but_marks_should_stay),
        cmocka_unit_test(usual_marks_should_be_left_to_the_network),
        cmocka_unit_test(a_letter_before_a_colon_should_be_copied),
        cmocka_unit_test(a_letter_or_marks_alone_should_be_copied),
        cmocka_unit_test(words_that_always_have_a_capital_should_begin_no_sentence),
        cmocka_unit_test(blocks_should_be_translated_by_themselves),
        cmocka_unit_test(tags_should_come_back),
        cmocka_unit_test(words_behind_tags_should_keep_their_places),
        cmocka_unit_test(words_behind_marks_should_keep_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
