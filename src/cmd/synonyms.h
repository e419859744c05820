/* synonyms.h - what other translators and scorers call our options, for whoever comes from them.
 *
 * The names are those of Marian, Nematus, OpenNMT-py, JoeyNMT, fairseq, Sockeye, CTranslate2, Hugging
 * Face's scripts and sacreBLEU. A name is compared without regard to case, and '_' is '-'.
 */
#ifndef ATTN_CMD_SYNONYMS_H
#define ATTN_CMD_SYNONYMS_H

typedef struct {
    const char *theirs;     /* names with single blanks between them; one letter: a short option */
    const char *ours;       /* a long option; NULL: there is none, */
    const char *advice;     /* and this is what to do instead */
    const char *command;    /* the one that the row is for; NULL: each that knows the option */
} Synonym;

extern const Synonym synonyms[];        /* theirs NULL ends the table */

/* synonym_fits - whether the name is among those of the row, and the row is for this command. Of the
 * rows that fit, and whose option the command knows, the first counts. */
int synonym_fits(const Synonym *row, const char *command, const char *name);

#endif
