/* synonyms.h - the names of our options in other translators and scorers, so that an unknown
 * option gets a useful hint.
 *
 * The names are those of Marian, Nematus, OpenNMT-py, JoeyNMT, fairseq, Sockeye, CTranslate2,
 * bergamot-translator, Hugging Face's scripts and sacreBLEU. A name is compared without regard to
 * case, and '_' is '-'.
 */
#ifndef ATTN_CMD_SYNONYMS_H
#define ATTN_CMD_SYNONYMS_H

typedef struct {
    const char *theirs;     /* names with single blanks between them; one letter: a short option */
    const char *ours;       /* our long option, or command; NULL: none */
    const char *advice;     /* what to do instead, where `ours` is NULL */
    const char *command;    /* the only command of the row; NULL: all with the option */
} Synonym;

extern const Synonym synonyms[];            /* of options; theirs NULL ends the table */
extern const Synonym command_synonyms[];    /* the same of commands */

/* synonym_fits - whether the row holds the name and is for this command. The first row counts
 * that fits and whose option the command has. */
int synonym_fits(const Synonym *row, const char *command, const char *name);

#endif
