/* speech_verbs.h - verbs before what someone says: He said "yes". Il a dit « oui ». */
#ifndef ATTN_TEXT_SPEECH_VERBS_H
#define ATTN_TEXT_SPEECH_VERBS_H

#include "text/word_list.h"

/* speech_verb_is - whether at..end is one of them, in small letters. */
static inline int speech_verb_is(const char *at, const char *end)
{
    static const char *const verbs[] = {
        "said", "says", "told", "asked", "answered", "replied", "shouted", "cried", "yelled",
        "screamed", "whispered", "thought", "added",
        "dit", "demanda", "demandé", "répondit", "répondu", "cria", "crié", "murmura", "murmuré",
        "ajouta", "ajouté", "pensa", "pensé", NULL
    };
    return word_list_has(verbs, at, end);
}

#endif
