/* foreign.c - files are known by the bytes that each format begins with, wide text by its units: it
 * has ends of lines and no unit of 0, where 8-bit text has no 0 at all, and binary data many. */
#include "base/files/foreign.h"

#include <stdint.h>
#include <string.h>

#define WIDE(encoding, name) \
    "is " encoding " text, UTF-8 is needed; 'iconv -f " name " -t UTF-8' converts it"
#define PACKED(program) "is packed by " program "; '" program " -dc' unpacks it"
#define DOCUMENT "saved as tab-separated text, a table can be read"

typedef struct { size_t at, length; const char *bytes, *is; } Beginning;

/* Of two that match, the first is it. */
static const Beginning beginnings[] = {
    { 0, 4, "\xFF\xFE\0\0", WIDE("UTF-32", "UTF-32") },
    { 0, 4, "\0\0\xFE\xFF", WIDE("UTF-32", "UTF-32") },
    { 0, 2, "\xFF\xFE", WIDE("UTF-16", "UTF-16") },
    { 0, 2, "\xFE\xFF", WIDE("UTF-16", "UTF-16") },
    { 0, 4, "PK\3\4", "is a zip archive or a document; 'unzip -p' prints what is in an archive, and "
                      DOCUMENT },
    { 0, 8, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "is a document of an office program; " DOCUMENT },
    { 0, 5, "%PDF-", "is a PDF document; 'pdftotext' makes text of it" },
    { 257, 5, "ustar", "is a tar archive; 'tar -xO -f' prints what is in it" },
    { 0, 6, "\xFD" "7zXZ\0", PACKED("xz") },
    { 0, 4, "\x28\xB5\x2F\xFD", PACKED("zstd") },
    { 0, 4, "\x04\x22\x4D\x18", PACKED("lz4") },
    { 0, 6, "7z\xBC\xAF\x27\x1C", "is a 7z archive; '7z x -so' prints what is in it" },
};

static int begins(const Beginning *beginning, const char *bytes, size_t length)
{
    const size_t at = beginning->at;
    return length >= at + beginning->length
           && !memcmp(bytes + at, beginning->bytes, beginning->length);
}

/* "BZh", a digit, and the start of a block. */
static int is_bzip2(const char *bytes, size_t length)
{
    return length >= 10 && !memcmp(bytes, "BZh", 3) && !memcmp(bytes + 4, "1AY&SY", 6);
}

/* ---- Wide text without a mark ---- */

typedef struct { size_t width; int is_big; const char *is; } Encoding;

static const Encoding encodings[] = {
    { 4, 0, WIDE("UTF-32", "UTF-32LE") }, { 4, 1, WIDE("UTF-32", "UTF-32BE") },
    { 2, 0, WIDE("UTF-16", "UTF-16LE") }, { 2, 1, WIDE("UTF-16", "UTF-16BE") },
};

static uint32_t unit_at(const Encoding *encoding, const char *bytes)
{
    uint32_t unit = 0;
    for (size_t i = 0; i < encoding->width; i++)
        unit = unit << 8 | (unsigned char)bytes[encoding->is_big ? i : encoding->width - 1 - i];
    return unit;
}

/* Whether the bytes make sense as units of this encoding. No end of a line begins inside a unit; of
 * one line alone most must be ASCII, as 8-bit text may hold a stray 0. */
static int is_text_in(const Encoding *encoding, const char *bytes, size_t length)
{
    enum { ASCII = 0x80, LAST_CODE_POINT = 0x10FFFF };
    size_t newlines = 0, ascii = 0;
    for (size_t i = 0; i + encoding->width <= length; i++) {
        const uint32_t unit = unit_at(encoding, bytes + i);
        const int is_inside = i % encoding->width != 0;
        if (is_inside ? unit == '\n' : !unit || unit > LAST_CODE_POINT) return 0;
        newlines += unit == '\n';
        ascii += !is_inside && unit < ASCII;
    }
    return newlines > 1 || (newlines && 2 * ascii > length / encoding->width);
}

const char *foreign_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(&beginnings[i], bytes, length)) return beginnings[i].is;
    if (is_bzip2(bytes, length)) return PACKED("bzip2");
    for (size_t i = 0; memchr(bytes, 0, length) && i < sizeof encodings / sizeof *encodings; i++)
        if (is_text_in(&encodings[i], bytes, length)) return encodings[i].is;
    return NULL;
}
