/* icu_nfc.h - ICU's own normaliser, for comparison: the program takes no more of ICU than the tables. */
#ifndef ATTN_TESTS_ICU_NFC_H
#define ATTN_TESTS_ICU_NFC_H

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

/* icu_nfc - the NFC form of valid UTF-8, which the caller frees; NULL if ICU fails. */
static inline char *icu_nfc(const char *text)
{
    enum { GROWTH = 3 };        /* of NFC in UTF-16, and of UTF-16's units in UTF-8: both at most this */
    const int32_t length = (int32_t)strlen(text), room = GROWTH * length + 1;
    UErrorCode code = U_ZERO_ERROR;
    UChar *given = xmalloc((size_t)room, sizeof *given), *composed = xmalloc((size_t)room, sizeof *composed);
    char *out = xmalloc((size_t)room, GROWTH);
    int32_t units;
    u_strFromUTF8(given, room, &units, text, length, &code);
    units = unorm2_normalize(unorm2_getNFCInstance(&code), given, units, composed, room, &code);
    u_strToUTF8(out, GROWTH * room, NULL, composed, units, &code);
    free(given);
    free(composed);
    if (U_SUCCESS(code)) return out;
    free(out);
    return NULL;
}

#endif
