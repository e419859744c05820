/* shared_text.c - see shared_text.h. */
#include "train/data/shared_text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The value of the first process, which the others, who have NULL, parse from its text. NULL: they
 * cannot. */
static cJSON *share_json(Processes *p, cJSON *first, Err *e)
{
    char *text = first ? json_text(first, 0) : NULL;
    size_t size = text ? strlen(text) + 1 : 0;
    processes_share(p, &size, sizeof size);
    if (!text) text = xmalloc(size, 1);
    processes_share(p, text, size);
    cJSON *json = first ? first : json_parse(text, size - 1, e);
    free(text);
    return json;
}

int share_lexicon(Processes *p, Lexicon **lexicon, const char *language, Err *e)
{
    if (processes_count(p) == 1) return 0;
    cJSON *json = share_json(p, *lexicon ? lexicon_to_json(*lexicon) : NULL, e);
    if (json && !*lexicon) *lexicon = lexicon_from_json(json, language, e);
    cJSON_Delete(json);
    return processes_agree(p, *lexicon ? 0 : -1, e);
}

int share_tokenizer(Processes *p, Tokenizer **tokenizer, Err *e)
{
    if (processes_count(p) == 1) return 0;
    cJSON *json = share_json(p, *tokenizer ? tokenizer_to_json(*tokenizer) : NULL, e);
    if (json && !*tokenizer) *tokenizer = tokenizer_from_json(json, e);
    cJSON_Delete(json);
    return processes_agree(p, *tokenizer ? 0 : -1, e);
}
