/* model_case.h - a tiny model, the file that holds it, and changes of that file. */
#ifndef ATTN_TESTS_MODEL_CASE_H
#define ATTN_TESTS_MODEL_CASE_H

#include "base/buf.h"
#include "model/file/model_file.h"
#include "scratch.h"

/* The state of a test. */
typedef struct {
    void  *scratch;
    char  *path;            /* of the file */
    Model  model;
} ModelCase;

int model_case_setup(void **state);
int model_case_teardown(void **state);

/* model_case_of - a model of a few words; model_free. model_case_tiny - the options of that in the file.
 * model_case_kind - "plain": that in the file; "int8", "lexicons", "lengths", "ensemble" of three networks, the last of
 * which writes from right to left, "int8 ensemble": with these.
 * "segmenter": with a SentencePiece model; "segmenters": with one of each side, over one vocabulary. */
Model          model_case_of(NetworkOptions network, int tokens);
NetworkOptions model_case_tiny(void);
Model          model_case_kind(const char *kind);

/* model_case_load, model_case_save - what must succeed. */
Model model_case_load(const char *path);
void  model_case_save(const Model *m, const char *path);

/* model_case_bytes - all bytes of a file; buf_free. model_case_header_end - where its header ends.
 * model_case_edit - replaces the first `old` of the file's header by `new`. */
Buf    model_case_bytes(const char *path);
size_t model_case_header_end(const Buf *bytes);
void   model_case_edit(const ModelCase *saved, const char *old, const char *new);

/* assert_model_refused - the file is refused with "PATH: " and a message that begins so, and nothing of it stays. */
void assert_model_refused(const char *path, const char *message);

#endif
