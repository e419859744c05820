/* fuzz_json.c - any bytes as JSON. They are refused with their line, or the value survives printing
 * and parsing. As settings they are refused by name, or survive conversion to a struct and back.
 */
#include "fuzz.h"

#include "base/json.h"
#include "model/network.h"
#include "text/tokenizer/tokenizer.h"
#include "train/hyperparameters.h"

#include <string.h>

static cJSON *parse(const char *text, size_t length)
{
    Err e = { "" };
    cJSON *value = json_parse(text, length, &e);
    require(!value == !!e.text[0]);
    return value;
}

static void check_text(const cJSON *value)
{
    for (int indented = 0; indented < 2; indented++) {
        char *text = json_text(value, indented);
        cJSON *again = parse(text, strlen(text));
        require(again);
        cJSON_Delete(again);
        free(text);
    }
}

/* Fills a section of settings from the JSON; `other` is a second section of the same kind. */
static void check_fields(const Field *fields, void *object, void *other, const cJSON *json)
{
    Err e = { "" };
    int failed = fields_from_json(fields, object, json, &e);
    require(!failed == !e.text[0]);
    if (failed) return;
    cJSON *printed = fields_to_json(fields, object);
    require(!fields_from_json(fields, other, printed, &e));
    cJSON *again = fields_to_json(fields, other);
    require(cJSON_Compare(printed, again, 1));
    cJSON_Delete(again);
    cJSON_Delete(printed);
}

static void check_sections(const cJSON *json)
{
    NetworkOptions network[] = { network_defaults(), network_defaults() };
    TextOptions text[] = { text_defaults(), text_defaults() };
    Hyperparameters hyper[] = { hyperparameters_defaults(), hyperparameters_defaults() };
    check_fields(network_fields, &network[0], &network[1], json);
    check_fields(text_fields, &text[0], &text[1], json);
    check_fields(hyperparameter_fields, &hyper[0], &hyper[1], json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    cJSON *value = parse((const char *)bytes, length), *item;
    if (!value) return 0;
    check_text(value);
    check_sections(value);
    cJSON_ArrayForEach(item, value)
        check_sections(item);
    cJSON_Delete(value);
    return 0;
}
