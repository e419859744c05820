/* test_network_torch.c - losses and all gradients equal those that PyTorch computed
 * (scripts/make-reference).
 */
#include "network_case.h"
#include "reference.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* The pairs of a reference; the ids stay in its arrays. */
static Sentence *torch_sentences(Heap *heap, const cJSON *reference, int *count, int *tokens)
{
    *count = reference_int(reference, "sentences");
    const int *source_length = reference_ints(heap, reference, "source_lengths", (size_t)*count);
    const int *target_length = reference_ints(heap, reference, "target_lengths", (size_t)*count);
    Sentence *sentences = heap_take(heap, (size_t)*count, sizeof *sentences);
    int source = 0;
    *tokens = 0;
    for (int i = 0; i < *count; i++) {
        sentences[i] = (Sentence){ .source_length = source_length[i],
                                   .target_length = target_length[i], .number = i };
        source += source_length[i];
        *tokens += target_length[i];
    }
    const int *source_ids = reference_ints(heap, reference, "source", (size_t)source);
    const int *target_ids = reference_ints(heap, reference, "target", (size_t)*tokens);
    for (int i = 0; i < *count; i++) {
        sentences[i].source = source_ids;
        sentences[i].target = target_ids;
        source_ids += source_length[i];
        target_ids += target_length[i];
    }
    return sentences;
}

static NetworkOptions torch_options(const cJSON *reference)
{
    Err e = { "" };
    NetworkOptions options = network_original();
    const cJSON *json = NULL;
    if (json_get_object(reference, "network", &json, &e)
        || fields_from_json(network_fields, &options, json, &e) || network_check(&options, &e))
        fail_msg("%s", e.text);
    return options;
}

static void assert_torch_gradients(Case *c, const cJSON *reference)
{
    for (int i = 0; i < c->table->count; i++) {
        const Parameter *p = &c->table->row[i];
        char name[1 + sizeof p->name];
        snprintf(name, sizeof name, "d%s", p->name);
        const double *expected = reference_doubles(&c->heap, reference, name, parameter_count(p));
        assert_all_near(name, c->dblock + p->at, expected, parameter_count(p), operations, 0,
                        __FILE__, __LINE__);
    }
}

static void assert_matches_torch(const char *name)
{
    int count, tokens;
    cJSON *reference = reference_open(name);
    const NetworkOptions options = torch_options(reference);
    Case c = network_case_new(&options, reference_int(reference, "source_vocabulary"),
                      reference_int(reference, "target_vocabulary"));
    for (int i = 0; i < c.table->count; i++) {
        const Parameter *p = &c.table->row[i];
        const real *values = reference_reals(&c.heap, reference, p->name, parameter_count(p));
        memcpy(c.block + p->at, values, parameter_count(p) * sizeof *values);
    }
    const Sentence *sentences = torch_sentences(&c.heap, reference, &count, &tokens);
    c.criterion.smoothing = reference_number(reference, "smoothing");
    c.criterion.scale = 1.0 / tokens;
    Loss loss = gradient(&c, sentences, count);
    assert_same_loss(loss, (Loss){ reference_number(reference, "smoothed"),
                                   reference_number(reference, "plain") });
    assert_torch_gradients(&c, reference);
    cJSON_Delete(reference);
    network_case_free(&c);
}

/* Every network-NAME.json: networks of all kinds, at first and at trained weights. */
UNIT_TEST(losses_and_all_gradients_should_match_pytorch)
{
    glob_t found;
    assert_int_equal(glob("tests/data/reference/network-*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *name = strrchr(found.gl_pathv[i], '/') + 1;
        name[strlen(name) - strlen(".json")] = '\0';
        assert_matches_torch(name);
    }
    assert_int_equal(found.gl_pathc, 41);
    globfree(&found);
}

int main(void) { return run_unit_tests(); }
