/* made_up.h - names, numbers, addresses and the like that hardly any text holds, drawn at random.
 *
 *   name         two or three syllables with a capital: Drovell, McPranik, O'Sallar, Tiven-Brusk,
 *                Kjøsta; a tenth has two words, a seventh a letter beyond ASCII
 *   address      https://www.drovell.org/sal?id=24, www.prani.net
 *   mail         sal.drovell@prani.org
 *   path         /usr/lib/prani/sal.txt, C:\prani\sal.log, ~/sal.py
 *   code         sal_prani(), salPrani, SAL_PRANI, --sal-prani, sal[3], XK-4821B
 *   handle       @sal_prani24, #prani
 *   version      v2.14.3, 1.0.7-rc2
 *   placeholder  %s, %1$s, {name}, ${prani}, {{sal}}, $SAL
 *   emoji        one to be seen as one, of one code point or several
 *
 * None begins or ends in a blank or in a mark that ends a sentence.
 */
#ifndef ATTN_TEXT_VERBATIM_MADE_UP_H
#define ATTN_TEXT_VERBATIM_MADE_UP_H

#include "base/buf.h"

#include <stdint.h>

typedef enum {
    MADE_UP_NAME, MADE_UP_ADDRESS, MADE_UP_MAIL, MADE_UP_PATH, MADE_UP_CODE, MADE_UP_HANDLE,
    MADE_UP_VERSION, MADE_UP_PLACEHOLDER, MADE_UP_EMOJI, MADE_UPS
} MadeUp;

/* made_up_add - appends one; the same key (base/random/rng.h) gives the same one. */
void made_up_add(MadeUp kind, uint64_t key, Buf *out);

/* A number of one to five digits, 2 or more; one in ten has a fraction of one or two digits. Of
 * those with four or five digits two in five have groups of three. */
typedef struct {
    int whole, fraction;
    int fraction_digits;        /* 0: no fraction */
    int grouped;
} MadeUpNumber;

MadeUpNumber made_up_number(uint64_t key);

/* made_up_number_add - appends the number with these separators of groups and of the fraction. */
void made_up_number_add(const MadeUpNumber *number, const char *group, const char *point, Buf *out);

#endif
