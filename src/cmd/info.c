/* info.c - `attn info`: the contents of a model file. It builds one JSON object; the text is
 * that object laid out for reading, so that both always hold the same. */
#include "base/json.h"
#include "base/mem.h"
#include "base/strings.h"
#include "cmd/cmd.h"
#include "cmd/models.h"
#include "cmd/options.h"
#include "cmd/progress.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct { int json, tensors; } Request;

#define AT(member) .offset = offsetof(Request, member)
static const Field request_fields[] = {
    { .group = "Output", .name = "json", .kind = FIELD_FLAG, AT(json),
      .help = "print one JSON object", .common = 1 },
    { .name = "tensors", .kind = FIELD_FLAG, AT(tensors),
      .help = "also list every tensor with its shape",
      .common = 1 },
    { .name = NULL }
};

static const HelpText help_text = {
    .usage = "attn info [OPTION...] [MODEL]",
    .about =
        "Prints what a model file contains: its network, how it splits text into tokens,\n"
        "the sizes of its vocabularies, its parameters, and how it was trained. MODEL is\n"
        "a file or a name, as for attn translate -m; without it, the model that attn\n"
        "translate would use.",
    .examples =
        "attn info\n"
        "attn info --tensors models/other.safetensors\n"
        "attn info --json | jq .training",
    .operand = "MODEL",
};

/* ---- The object ---- */

/* { name: [rows, columns] } */
static cJSON *tensors_to_json(const ParameterTable *table)
{
    cJSON *tensors = cJSON_CreateObject();
    for (int i = 0; i < table->count; i++) {
        const Parameter *p = &table->row[i];
        const int shape[] = { p->rows, p->columns };
        cJSON_AddItemToObject(tensors, p->name, cJSON_CreateIntArray(shape, p->columns ? 2 : 1));
    }
    return tensors;
}

static cJSON *model_to_json(const Model *model, const char *path, int tensors)
{
    struct stat status = { 0 };
    SCOPED(buf_free) Buf languages = { 0 };
    const int networks = model_networks(model);
    stat(path, &status);
    cJSON *json = cJSON_CreateObject();
    json_add_bytes(json, "model", path);
    cJSON_AddNumberToObject(json, "bytes", (double)status.st_size);
    cJSON_AddStringToObject(json, "precision", precision_names[model->stored]);
    if (networks > 1) cJSON_AddNumberToObject(json, "networks", networks);
    if (model->right_left) cJSON_AddNumberToObject(json, "right_left", model->right_left);
    cJSON_AddNumberToObject(json, "parameters", (double)model->table->values * networks);
    if (model->normalize > 0)
        cJSON_AddItemToObject(json, "normalize", json_rounded(model->normalize, 2));
    if (model->longest) cJSON_AddNumberToObject(json, "trained_length", model->longest);
    if (model->length_limit.ratio > 0)
        cJSON_AddItemToObject(json, "length_ratio", json_rounded(model->length_limit.ratio, 2));
    if (model->search.is_known)
        cJSON_AddItemToObject(json, "search", model_search_to_json(&model->search));
    cJSON_AddNumberToObject(json, "source_vocabulary", tokenizer_size(model->source));
    cJSON_AddNumberToObject(json, "target_vocabulary", tokenizer_size(model->target));
    tokenizer_languages(model->source, &languages);
    if (languages.length) cJSON_AddStringToObject(json, "target_languages", languages.text);
    cJSON_AddItemToObject(json, "network", network_to_json(&model->network));
    cJSON_AddItemToObject(json, "text", fields_to_json(text_fields, &model->text));
    cJSON *training = cJSON_Duplicate(model->training, 1);
    cJSON *about = cJSON_DetachItemFromObject(training, "about");
    if (about) cJSON_AddItemToObject(json, "about", about);
    cJSON_AddItemToObject(json, "training", training);
    if (tensors) cJSON_AddItemToObject(json, "tensors", tensors_to_json(model->table));
    return json;
}

/* ---- The object laid out for reading ---- */

static void print_scalar(const cJSON *item, int depth)
{
    if (cJSON_IsString(item)) {
        puts(item->valuestring);
    } else if (cJSON_IsNumber(item) && item->valuedouble != round(item->valuedouble)) {
        printf("%.6g\n", item->valuedouble);
    } else if (cJSON_IsNumber(item) && depth == 0) {
        puts(progress_count(item->valuedouble).text);     /* at the top all others are counts */
    } else {
        print_json(item, 0);
    }
}

static void print_members(const cJSON *object, int depth)
{
    int width = 0;
    for (const cJSON *item = object->child; item; item = item->next)
        if ((int)strlen(item->string) > width) width = (int)strlen(item->string);
    for (const cJSON *item = object->child; item; item = item->next) {
        if (cJSON_IsObject(item)) {
            printf("%s%*s%s\n", depth ? "" : "\n", 2 * depth, "", item->string);
            print_members(item, depth + 1);
        } else {
            printf("%*s%-*s  ", 2 * depth, "", width, item->string);
            print_scalar(item, depth);
        }
    }
}

/* Anybody may have written the file. JSON is for programs, and keeps the characters as they are. */
static void make_members_printable(cJSON *object)
{
    for (cJSON *item = object->child; item; item = item->next) {
        if (item->string) make_printable(item->string);
        if (item->valuestring) make_printable(item->valuestring);
        make_members_printable(item);
    }
}

static void print_info(const Model *model, const char *path, const Request *r)
{
    cJSON *info = model_to_json(model, path, r->tensors);
    if (r->json) {
        print_json(info, 1);
    } else {
        make_members_printable(info);
        print_members(info, 0);
    }
    cJSON_Delete(info);
}

/* ---- The command ---- */

static int run(int argc, char **argv)
{
    Err e;
    Model model;
    Request r = { 0 };
    const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    SCOPED(options_free) Options given = options_parse(sets, argc, argv);
    SCOPED(buf_free) Buf path = { 0 };
    if (given.count > 1)
        usage_error("info", "one model at a time: '%s' is one too many", given.operand[1]);
    if (model_path(*given.operand, &path, &e) || load_model(&model, path.text, &e))
        return fail("%s", e.text);
    print_info(&model, path.text, &r);
    model_free(&model);
    return EXIT_OK;
}

static Description describe(void)
{
    static Request r = { 0 };
    static const OptionSet sets[] = { { request_fields, &r }, { NULL, NULL } };
    return (Description){ sets, &help_text };
}

const Command command_info = { "info", "print what a model file contains", run, describe };
