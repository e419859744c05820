/* code.c - files, identifiers, and codes of letters and digits. */
#include "text/ascii.h"
#include "text/unicode.h"
#include "text/verbatim/address.h"
#include "text/verbatim/shapes.h"
#include "text/word_list.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_EAST_ASIAN = 0x3000 };

/* ---- Characters ---- */

/* Nearly all code points of two bytes from U+00C0 on are letters; × and ÷ are not. */
static const char *letter_end(const char *at, const char *end)
{
    const unsigned char first = (unsigned char)*at;
    if (first < 0x80) return ascii_is_letter(*at) ? at + 1 : NULL;
    if (end - at < 2) return NULL;
    int32_t point = unicode_next(&at);
    return point >= 0xC0 && point < FIRST_EAST_ASIAN && unicode_is_letter(point) ? at : NULL;
}

static int is_word_character(const char *at, const char *end)
{
    return at < end && (ascii_is_digit(*at) || *at == '_' || letter_end(at, end));
}

/* The end of the word characters and of the signs in `signs` from `at` on. */
static const char *run_end(const char *at, const char *end, const char *signs)
{
    while (at < end) {
        const char *letter = letter_end(at, end);
        if (letter) at = letter;
        else if (*at && (ascii_is_digit(*at) || *at == '_' || strchr(signs, *at))) at++;
        else break;
    }
    return at;
}

const char *shape_word(const char *at, const char *end)
{
    return run_end(at, end, "");
}

/* Without the full stops and hyphens at its end. */
static const char *trimmed(const char *start, const char *end)
{
    while (end > start && strchr(".-+", end[-1]))
        end--;
    return end;
}

/* ---- Hints ---- */

enum { HINT_END = -1 };

/* The hint of the sign at `at`, behind `before`; HINT_END: the run ends before it. */
static int hint_of_sign(const char *at, const char *end, char before)
{
    const char next = at + 1 < end ? at[1] : ' ';
    switch (*at) {
    case '_':  return HINT_UNDERSCORE;
    case '@':  return HINT_AT;
    case '/': case '\\': return next == ' ' ? 0 : HINT_SLASH;
    case '.':  return is_word_character(at + 1, end) ? HINT_DOT : 0;
    case ':':  return next == ':' ? HINT_CALL : 0;
    case '-':  return next == '>' ? HINT_CALL : 0;
    case '(':  return next == ')' ? HINT_CALL : HINT_END;
    case '=':  return next == ' ' ? 0 : HINT_CALL;
    case '+':  return next == '+' ? HINT_LANGUAGE : 0;
    case '#':  return ascii_is_upper(before) ? HINT_LANGUAGE : 0;
    case '~': case '%': case '&': case '$': case '>': return 0;
    default:   return HINT_END;
    }
}

unsigned shape_hints(const char *at, const char *end)
{
    int hints = 0;
    for (char before = ' '; at < end; before = *at++) {
        if (ascii_is_lower(*at)) continue;
        const char *letter;
        int hint = 0;
        if (ascii_is_upper(*at)) hint = ascii_is_lower(before) ? HINT_HUMP : 0;
        else if (ascii_is_digit(*at)) hint = HINT_DIGIT;
        else if ((unsigned char)*at < 0x80) hint = hint_of_sign(at, end, before);
        else if ((letter = letter_end(at, end))) at = letter - 1;
        else break;
        if (hint == HINT_END) break;
        hints |= hint;
    }
    return (unsigned)hints;
}

/* ---- Files ---- */

static int is_file_ending(const char *at, const char *end)
{
    static const char *const endings[] = {
        "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "txt", "md",
        "csv", "tsv", "json", "xml", "yaml", "yml", "html", "htm", "css", "tex", "bib", "epub", "c",
        "h", "cc", "cpp", "hpp", "rs", "py", "js", "jsx", "ts", "tsx", "java", "kt", "rb", "php",
        "sh", "bat", "exe", "dll", "sql", "db", "ipynb", "zip", "gz", "tar", "tgz", "bz2", "xz",
        "7z", "rar", "iso", "png", "jpg", "jpeg", "gif", "svg", "bmp", "webp", "tiff", "psd", "mp3",
        "mp4", "avi", "mov", "mkv", "wav", "ogg", "flac", "log", "ini", "cfg", "conf", "toml",
        "lock", "bak", "tmp", "apk", "deb", "rpm", "PDF", "DOC", "DOCX", "XLS", "XLSX", "TXT",
        "CSV", "ZIP", "EXE", "JPG", "PNG", "HTML", NULL
    };
    return word_list_has(endings, at, end);
}

/* Whether start..stop has a name and a known ending; of one letter only behind two or more. */
static int is_file_name(const char *start, const char *stop)
{
    const char *dot = stop;
    while (dot > start && dot[-1] != '.')
        dot--;
    if (dot - start < 2 || dot[-2] == '.' || !is_file_ending(dot, stop)) return 0;
    return stop - dot > 1 || dot - start > 2;
}

static const char *file_name_end(const char *at, const char *end)
{
    const char *stop = trimmed(at, run_end(at, end, ".-+"));
    if (!is_file_name(at, stop)) return NULL;
    return stop < end && *stop == '(' ? NULL : stop;
}

/* Behind "C:\" or "C:/". */
static const char *drive_end(const char *at, const char *end)
{
    if (end - at < 4 || !ascii_is_letter(*at) || at[1] != ':') return NULL;
    return at[2] == '\\' || (at[2] == '/' && at[3] != '/') ? at + 3 : NULL;
}

/* Whether one step from the root is a path: /tmp, not the rest of "he /she". */
static int is_root_folder(const char *at, const char *end)
{
    static const char *const folders[] = { "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/mnt",
                                           "/opt", "/proc", "/root", "/run", "/srv", "/sys", "/tmp",
                                           "/usr", "/var", NULL };
    return word_list_has(folders, at, end);
}

static int is_path(const char *start, const char *stop)
{
    const long slashes = ascii_count(start, stop, '/') - (stop[-1] == '/');
    if (!slashes && stop[-1] != '/') return 0;
    if (memchr(start, '_', (size_t)(stop - start)) || is_file_name(start, stop)) return 1;
    if (*start == '.' || *start == '~') return slashes > 0;
    if (*start == '/') return slashes > 1 || is_root_folder(start, stop);
    return slashes > 0 && stop[-1] == '/' && !ascii_is_digit(*start);
}

const char *shape_path(const char *at, const char *end)
{
    const char *rest = drive_end(at, end), *stop;
    if (!rest && end - at > 2 && at[0] == '\\' && at[1] == '\\') rest = at + 2;
    if (rest) {
        stop = trimmed(rest, run_end(rest, end, ".-+~\\/$%()"));
        return stop > rest ? stop : NULL;
    }
    stop = trimmed(at, run_end(at, end, ".-+~/*@%"));
    return stop > at && is_path(at, stop) ? stop : NULL;
}

/* ---- Identifiers ---- */

/* Names that start small, and go on with a capital. */
static int is_brand(const char *at, const char *end)
{
    static const char *const brands[] = { "iPhone", "iPad", "iPod", "iMac", "iTunes", "iCloud",
                                          "iOS", "eBay", "eBook", NULL };
    for (const char *const *brand = brands; *brand; brand++) {
        const size_t length = strlen(*brand);
        if ((size_t)(end - at) >= length && !memcmp(at, *brand, length)) return 1;
    }
    return 0;
}

/* Whether capitals follow small letters as in fooBar and YouTube; not as in McGee and MacDonald,
 * which are names, nor as in "oTm", which is a typing error. */
static int has_humps(const char *start, const char *stop)
{
    static const char *const names[] = { "Mac", "Van", "Fitz", "Des", "Del", NULL };
    enum { LETTERS = 2 };                   /* small ones before the first hump */
    const char *hump = start + ascii_is_upper(*start);
    while (hump < stop && (ascii_is_lower(*hump) || ascii_is_digit(*hump)))
        hump++;
    if (hump == stop || !ascii_is_upper(*hump)) return 0;
    if (!ascii_is_upper(*start)) return hump - start >= LETTERS || is_brand(start, stop);
    return hump - start > LETTERS && !word_list_has(names, start, hump);
}

static int is_identifier(const char *start, const char *stop)
{
    return memchr(start, '_', (size_t)(stop - start)) || has_humps(start, stop);
}

/* The bytes of the dot, "::" or "->" at `at` if a word follows. */
static size_t joint_length(const char *at, const char *end)
{
    if (at == end) return 0;
    if (*at == '.') return is_word_character(at + 1, end) && !ascii_is_digit(at[1]);
    if (end - at < 3 || (memcmp(at, "::", 2) != 0 && memcmp(at, "->", 2) != 0)) return 0;
    return is_word_character(at + 2, end) ? 2 : 0;
}

/* Behind the brackets of a call at `at`, if any: without blanks, and with arguments only if the
 * name before them can be nothing but code. */
static const char *call_end(const char *at, const char *end, int is_code)
{
    if (end - at < 2 || *at != '(') return at;
    const char *close = at + 1;
    while (is_code && close < end && *close > ' ' && *close != ')' && *close != '(')
        close++;
    return close < end && *close == ')' ? close + 1 : at;
}

/* Behind "=value" at `at`, if any. */
static const char *value_end(const char *at, const char *end)
{
    if (end - at < 2 || *at != '=') return at;
    const char *stop = trimmed(at + 1, run_end(at + 1, end, ".-+/:%#"));
    return stop > at + 1 ? stop : at;
}

static const char *identifier_end(const char *at, const char *end)
{
    const char *stop = at;
    int code = 0;
    for (size_t joint = 0;; stop += joint) {
        const char *word = stop;
        stop = shape_word(word, end);
        code |= joint == 2 || is_identifier(word, stop);
        const char *call = call_end(stop, end, code);
        code |= call > stop;
        stop = call;
        if (!(joint = joint_length(stop, end))) break;
    }
    const char *value = value_end(stop, end);
    return code || value > stop ? value : NULL;
}

/* C++ and C#. */
static const char *language_end(const char *at, const char *end)
{
    const char *stop = shape_word(at, end);
    if (end - stop >= 2 && stop[0] == '+' && stop[1] == '+') stop += 2;
    else if (stop - at == 1 && stop < end && *stop == '#') stop++;
    else return NULL;
    return is_word_character(stop, end) ? NULL : stop;
}

/* ---- Codes ---- */

static const char *alphanumeric_end(const char *at, const char *end)
{
    while (at < end && ascii_is_alphanumeric(*at))
        at++;
    return at;
}

/* Which kinds of characters a part of a code holds. */
enum { PART_DIGITS = 1, PART_CAPITALS = 2, PART_SMALL = 4 };

static int parts_of(const char *at, const char *end)
{
    int parts = 0;
    for (; at < end; at++)
        parts |= ascii_is_digit(*at) ? PART_DIGITS : ascii_is_upper(*at) ? PART_CAPITALS
                                                                         : PART_SMALL;
    return parts;
}

static int is_version_ending(const char *at, const char *end)
{
    static const char *const endings[] = { "alpha", "beta", "dev", "pre", "snapshot", NULL };
    return word_list_has(endings, at, end);
}

/* Behind the "-900" or ".3" at `at` that goes on with a code; `at` itself if none is there. */
static const char *next_part(const char *at, const char *end)
{
    if (end - at < 2 || (*at != '-' && *at != '.')) return at;
    const char *stop = alphanumeric_end(at + 1, end);
    const int parts = parts_of(at + 1, stop);
    if (*at == '.') return ascii_is_digit(at[1]) ? stop : at;
    return parts & PART_DIGITS || parts == PART_CAPITALS || is_version_ending(at + 1, stop) ? stop
                                                                                            : at;
}

/* 3fa85f64-5717-4562-b3fc-2c963f66afa6 (RFC 9562, section 4) */
static const char *uuid_end(const char *at, const char *end)
{
    static const int digits[] = { 8, 4, 4, 4, 12 };
    for (int i = 0; i < 5; i++) {
        if (i && (at == end || *at++ != '-')) return NULL;
        for (int k = 0; k < digits[i]; k++)
            if (at == end || !ascii_is_hex(*at++)) return NULL;
    }
    return at < end && ascii_is_alphanumeric(*at) ? NULL : at;
}

const char *shape_mixed(const char *at, const char *end)
{
    const char *stop = uuid_end(at, end), *next;
    if (stop) return stop;
    stop = alphanumeric_end(at, end);
    int parts = parts_of(at, stop);
    if (parts & PART_SMALL && !(parts & PART_DIGITS)) return NULL;
    for (; (next = next_part(stop, end)) > stop; stop = next)
        parts |= parts_of(stop + 1, next);
    if (!(parts & PART_DIGITS) || parts == PART_DIGITS) return NULL;
    return is_word_character(stop, end) ? NULL : stop;
}

const char *shape_code(const char *at, const char *end, unsigned hints)
{
    const unsigned names = HINT_UNDERSCORE | HINT_CALL | HINT_HUMP;
    const char *after = NULL;
    if (hints & (HINT_AT | HINT_SLASH | HINT_DOT) && (after = address_end(at, end))) return after;
    if (hints & HINT_DOT && (after = address_host_end(at, end))) return after;
    if (hints & HINT_SLASH && (after = shape_path(at, end))) return after;
    if (hints & HINT_DOT && (after = file_name_end(at, end))) return after;
    if (hints & names && (after = identifier_end(at, end))) return after;
    if (hints & HINT_LANGUAGE && (after = language_end(at, end))) return after;
    return hints & HINT_DIGIT && !ascii_is_digit(*at) ? shape_mixed(at, end) : NULL;
}
