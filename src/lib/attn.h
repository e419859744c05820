/* attn.h - translation by models that `attn train` has written; the whole interface of libattn.
 *
 *     attn_error error;
 *     attn_model *model = attn_model_load("my.safetensors", &error);
 *     attn_translator *translator = attn_translator_new(model, NULL, &error);
 *     attn_result *result = attn_translate(translator, &line, 1, &error);
 *     puts(attn_result_text(result, 0, 0));
 *
 * Each of these returns NULL where it fails, and then the error has a message: also for a file that
 * is no model or damaged, for text that is no UTF-8, and where memory runs out. What a failed call
 * had taken it has given back, and the model and the translator work as before. The library prints
 * nothing, ends nothing but for a fault of its own, changes no setting of the process, and keeps
 * nothing beside the objects that it returns; but where the CPU has AMX, it asks Linux for its
 * registers when it is loaded, and alternate stacks for signals need room for them then
 * (AT_MINSIGSTKSZ). It runs on any CPU of its architecture with the kernels that suit it, or those
 * that the environment names in ATTN_CPU when it is loaded.
 *
 * All functions may be called from any thread at any time; only what one thread releases, no other
 * may use at that time or later. Threads that share a translator translate at the same time. A
 * result depends on nothing but model, options and lines. A call needs 512 KiB of stack. A child may
 * use after fork() all that its parent had, whatever other threads were doing: it starts threads of
 * its own.
 *
 * Strings are UTF-8 and end in NUL. Whoever got an object releases it: results and translators
 * before their models. To release NULL does nothing.
 */
#ifndef ATTN_H
#define ATTN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define ATTN_API __attribute__((visibility("default")))
#else
#define ATTN_API
#endif

typedef struct attn_model      attn_model;
typedef struct attn_translator attn_translator;
typedef struct attn_result     attn_result;

/* One line without a line end. Where a function takes one, NULL is none; in it lines count from 0. */
typedef struct { char text[1024]; } attn_error;

/* attn_version - "0.1.0": that of the library which the program found. */
ATTN_API const char *attn_version(void);

/* attn_model_load - reads a model file. */
ATTN_API attn_model *attn_model_load(const char *path, attn_error *error);
ATTN_API void        attn_model_free(attn_model *model);

/* attn_translator_new - options: names and values in turn, NULL ends them; NULL: the defaults.
 *
 *     const char *const options[] = { "beam", "8", "nbest", "3", "alignment", "on", NULL };
 *
 * "threads": how many translate the lines of one call, the caller among them (1); "0": one a core.
 * "alignment": "on" to have attn_result_alignment ("off"). "to": the language, of a model that
 * translates into several. All others are options of `attn
 * translate` with the same values and defaults, which `attn help translate` lists below "Search"
 * and "Sampling": beam, nbest, normalize, precision, sample, seed ...
 * The translator borrows the model. */
ATTN_API attn_translator *attn_translator_new(const attn_model *model, const char *const *options,
                                              attn_error *error);
ATTN_API void             attn_translator_free(attn_translator *translator);

/* attn_translate - translates each of `count` lines, which may have several sentences. It needs
 * neither the lines nor the translator later. */
ATTN_API attn_result *attn_translate(attn_translator *translator, const char *const *lines,
                                     size_t count, attn_error *error);
ATTN_API void         attn_result_free(attn_result *result);

/* attn_result_count - how many translations line `line` has, from 0: at least one, which is "" for
 * a line without words, and at most the option "nbest".
 *
 * Of translation k, best first:
 * attn_result_text            - its text.
 * attn_result_log_probability - natural, of all its tokens together; 0 for a line without words.
 * attn_result_score           - what translations were compared by, the log-probability divided by
 *                               length^normalize. The first translation is that of "nbest" 1, and a
 *                               further one may have a better score. If the model has networks
 *                               that write from right to left, the mean log-probability of all
 *                               networks is divided; that above is without these.
 * attn_result_alignment       - "0-0 2-1": source word 2 is linked to target word 1, in the order
 *                               of the target. Words are what blanks separate. NULL without the
 *                               option "alignment".
 * Where there is no such line or translation they return 0, NULL or NaN. Strings are the result's. */
ATTN_API size_t      attn_result_count(const attn_result *result, size_t line);
ATTN_API const char *attn_result_text(const attn_result *result, size_t line, size_t k);
ATTN_API double      attn_result_log_probability(const attn_result *result, size_t line, size_t k);
ATTN_API double      attn_result_score(const attn_result *result, size_t line, size_t k);
ATTN_API const char *attn_result_alignment(const attn_result *result, size_t line, size_t k);

#ifdef __cplusplus
}
#endif

#endif
