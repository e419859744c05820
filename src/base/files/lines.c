/* lines.c - lines from files, pipes and gzip.
 *
 * read(2) or inflate fills one buffer, and lines are handed out in place: no copy, and no waiting
 * for more than the line that was asked for, which stdio cannot promise on a pipe.
 */
#include "base/files/lines.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "base/strings.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { READ_BYTES = 1 << 16, LARGEST_READ = 1 << 30 };

#define GZIP_BEGINNING "\x1F\x8B"

/* Gzip data: members, one after another. */
typedef struct {
    z_stream stream;
    int      is_inside;     /* a member has begun and not ended */
    double   read;          /* packed bytes so far */
    char     packed[READ_BYTES];
} Gzip;

struct Lines {
    char  *name;
    int    fd;
    Gzip  *gzip;            /* NULL: plain bytes */
    char  *buffer;          /* start..end: not yet returned; start..scanned: without a line end */
    size_t capacity, start, scanned, end;
    int    cr;              /* lines end in '\r', too */
    double read;            /* bytes so far, unpacked */
    long   number;
    int    had_bom;
    int    ended;
    int    failed;          /* then the next call reports `failure` */
    Err    failure;
};

static int is_standard_input(const char *path)
{
    return !strcmp(path, "-");
}

Lines *lines_open(const char *path, Err *e)
{
    const int standard = is_standard_input(path);
    struct stat status;
    int fd = standard ? STDIN_FILENO : file_open(path, 0, &status, e);
    if (fd < 0) return NULL;
    Lines *lines = xcalloc(1, sizeof *lines);
    lines->name = xstrdup(standard ? "standard input" : path);
    lines->fd = fd;
    return lines;
}

int lines_check(const char *path, Err *e)
{
    return is_standard_input(path) ? 0 : file_check(path, e);
}

void lines_close(Lines *lines)
{
    if (!lines) return;
    if (lines->fd != STDIN_FILENO) file_close(lines->fd);
    if (lines->gzip) inflateEnd(&lines->gzip->stream);
    xfree(lines->gzip);
    xfree(lines->name);
    xfree(lines->buffer);
    xfree(lines);
}

/* ---- Filling the buffer ---- */

static void fail(Lines *lines, const char *what)
{
    lines->failed = 1;
    err(&lines->failure, "%s: %s", lines->name, what);
}

/* Makes space for a read, or at the end of the file for a NUL; returns its size. The rest is first
 * moved to the front if it is shorter than what was returned since the last move: so each byte is
 * moved a constant number of times on average, however long the lines are. */
static size_t reserve(Lines *lines)
{
    size_t rest = lines->end - lines->start;
    if (rest < lines->start) {
        memmove(lines->buffer, lines->buffer + lines->start, rest);
        lines->scanned -= lines->start;
        lines->start = 0;
        lines->end = rest;
    }
    lines->buffer = grow(lines->buffer, &lines->capacity, lines->end + READ_BYTES, 1);
    size_t free_bytes = lines->capacity - lines->end;
    return free_bytes < LARGEST_READ ? free_bytes : LARGEST_READ;
}

static void wait_readable(int fd)
{
    struct pollfd wanted = { .fd = fd, .events = POLLIN };
    poll(&wanted, 1, -1);
}

static ssize_t read_plain(Lines *lines, char *to, size_t most)
{
    for (;;) {
        ssize_t got = read(lines->fd, to, most);
        if (got >= 0) return got;
        if (errno == EAGAIN)
            wait_readable(lines->fd);
        else if (errno != EINTR) {
            fail(lines, strerror(errno));
            return -1;
        }
    }
}

static void begin_gzip(Lines *lines, const char *packed, size_t length)
{
    enum { GZIP_ONLY = 16 };
    Gzip *gzip = lines->gzip = xcalloc(1, sizeof *gzip);
    if (inflateInit2(&gzip->stream, GZIP_ONLY + MAX_WBITS) != Z_OK)
        die("out of memory: zlib could not start");
    memcpy(gzip->packed, packed, length);
    gzip->stream.next_in = (Bytef *)gzip->packed;
    gzip->stream.avail_in = (uInt)length;
    gzip->read = (double)length;
}

/* Whether there is packed data to unpack, for which it may read. Behind the last member there may be
 * anything, as for gzip. */
static int has_packed(Lines *lines)
{
    Gzip *gzip = lines->gzip;
    if (!gzip->stream.avail_in) {
        const ssize_t got = read_plain(lines, gzip->packed, sizeof gzip->packed);
        if (!got && gzip->is_inside) fail(lines, "truncated gzip data");
        if (got <= 0) return 0;
        gzip->stream.next_in = (Bytef *)gzip->packed;
        gzip->stream.avail_in = (uInt)got;
        gzip->read += (double)got;
    }
    return gzip->is_inside || *gzip->stream.next_in == *GZIP_BEGINNING;
}

/* The unpacked bytes, at least one; 0: the end, or a failure. */
static ssize_t read_gzip(Lines *lines, char *to, size_t most)
{
    z_stream *stream = &lines->gzip->stream;
    stream->next_out = (Bytef *)to;
    stream->avail_out = (uInt)most;
    while (stream->avail_out == most && has_packed(lines)) {
        const int status = inflate(stream, Z_NO_FLUSH);
        lines->gzip->is_inside = status != Z_STREAM_END;
        if (status == Z_STREAM_END) {
            inflateReset(stream);
        } else if (status != Z_OK) {
            fail(lines, "damaged gzip data");
            return 0;
        }
    }
    return (ssize_t)(most - stream->avail_out);
}

/* The first bytes decide what the file is; of gzip data two. */
static ssize_t read_first(Lines *lines, char *to)
{
    ssize_t got = read_plain(lines, to, READ_BYTES), more = got;
    while (more > 0 && got == 1 && *to == *GZIP_BEGINNING)
        if ((more = read_plain(lines, to + 1, READ_BYTES - 1)) > 0) got += more;
    if (got > 1 && !memcmp(to, GZIP_BEGINNING, 2)) {
        begin_gzip(lines, to, (size_t)got);
        return read_gzip(lines, to, READ_BYTES);
    }
    if (got < 0 || !ends_with(lines->name, ".gz")) return got;
    fail(lines, "is not gzip data, though its name ends in .gz");
    return 0;
}

/* Reads once, waiting if need be; sets ended or failed when there is no more. */
static void fill(Lines *lines)
{
    size_t most = reserve(lines);
    char *to = lines->buffer + lines->end;
    ssize_t got = !lines->read ? read_first(lines, to)
                : lines->gzip ? read_gzip(lines, to, most) : read_plain(lines, to, most);
    if (got > 0) {
        lines->end += (size_t)got;
        lines->read += (double)got;
    } else {
        lines->ended = 1;
    }
}

/* ---- Finding the end of a line ---- */

/* Whether the next line, as far as it was scanned, is longer than a line may be. */
static int is_too_long(const Lines *lines)
{
    return lines->scanned - lines->start > LINE_BYTES;
}

/* The first '\n', or with `cr` the first '\r' if that comes earlier, in `length` bytes; or NULL. */
static char *find_newline(char *at, size_t length, int cr)
{
    char *found = cr ? memchr(at, '\r', length) : NULL;
    char *before = memchr(at, '\n', found ? (size_t)(found - at) : length);
    return before ? before : found;
}

/* The end of the next line, or NULL while it isn't in the buffer. */
static char *line_end(Lines *lines)
{
    if (lines->scanned == lines->end) return NULL;
    char *at = lines->buffer + lines->scanned;
    char *found = find_newline(at, lines->end - lines->scanned, lines->cr);
    lines->scanned = found ? (size_t)(found - lines->buffer) : lines->end;
    return found;
}

/* Reads until the end of the next line; NULL: the file ends, or the line is too long. */
static char *read_line_end(Lines *lines)
{
    char *end;
    while (!(end = line_end(lines)) && !lines->ended && !is_too_long(lines))
        fill(lines);
    return is_too_long(lines) ? NULL : end;
}

/* Makes '\r' end lines if the buffer has one, and no '\n'; returns whether it does. */
static int take_carriage_returns(Lines *lines)
{
    if (!memchr(lines->buffer + lines->start, '\r', lines->end - lines->start)) return 0;
    lines->cr = 1;
    lines->scanned = lines->start;
    return 1;
}

static size_t bom_length(const Lines *lines)
{
    static const char bom[] = { '\xEF', '\xBB', '\xBF' };
    if (lines->end - lines->start < sizeof bom) return 0;
    return memcmp(lines->buffer + lines->start, bom, sizeof bom) ? 0 : sizeof bom;
}

static void skip_bom(Lines *lines)
{
    const size_t length = bom_length(lines);
    if (lines->scanned - lines->start < length) return;
    lines->had_bom = length > 0;
    lines->start += length;
}

/* ---- What holds no UTF-8 text ----
 *
 * Files are known by the bytes that each format begins with, wide text by its units: it has ends of
 * lines and no unit of 0, where 8-bit text has no 0 at all, and binary data many. */

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

/* What these bytes at the start of a file are, and what makes text of them; NULL: they may be text.
 * gzip is not foreign. */
static const char *foreign_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(&beginnings[i], bytes, length)) return beginnings[i].is;
    if (is_bzip2(bytes, length)) return PACKED("bzip2");
    for (size_t i = 0; memchr(bytes, 0, length) && i < sizeof encodings / sizeof *encodings; i++)
        if (is_text_in(&encodings[i], bytes, length)) return encodings[i].is;
    return NULL;
}

/* ---- Returning lines ---- */

/* Before the first line: -1 for what is no text. */
static int check_text(const Lines *lines, Err *e)
{
    const char *foreign = lines->end > lines->start
                        ? foreign_text(lines->buffer + lines->start, lines->end - lines->start) : NULL;
    return foreign ? err(e, "%s: %s", lines->name, foreign) : 0;
}

int lines_peek(Lines *lines, const char **text, size_t *length, Err *e)
{
    while (lines->end < PEEK_BYTES && !lines->ended)
        fill(lines);
    if (check_text(lines, e)) return -1;
    const size_t bom = bom_length(lines);
    *text = lines->end ? lines->buffer + bom : "";
    *length = (lines->end < PEEK_BYTES ? lines->end : PEEK_BYTES) - bom;
    return 0;
}

static int refuse_long_line(const Lines *lines, Err *e)
{
    return err(e, "%s:%ld: a line of more than %d MiB: is this a text?", lines->name,
               lines->number + 1, LINE_BYTES >> 20);
}

/* Returns the line up to `end`, or up to the end of the file if that is NULL. */
static void take_line(Lines *lines, const char *end, char **line, size_t *length)
{
    *line = lines->buffer + lines->start;
    *length = (end ? (size_t)(end - lines->buffer) : lines->end) - lines->start;
    lines->start = lines->scanned = end ? lines->scanned + 1 : lines->end;
    if (*length && (*line)[*length - 1] == '\r') --*length;
    (*line)[*length] = '\0';
    lines->number++;
}

int lines_next(Lines *lines, char **line, size_t *length, Err *e)
{
    const int first = lines->number == 0;
    char *end = read_line_end(lines);
    if (first && check_text(lines, e)) return -1;
    if (first && !end && take_carriage_returns(lines)) end = read_line_end(lines);
    if (is_too_long(lines)) return refuse_long_line(lines, e);
    if (!end && lines->failed) {
        *e = lines->failure;
        return -1;
    }
    if (first) skip_bom(lines);
    if (!end && lines->start == lines->end) return 0;
    take_line(lines, end, line, length);
    return 1;
}

int lines_ready(Lines *lines)
{
    struct pollfd wanted = { .fd = lines->fd, .events = POLLIN };
    while (!line_end(lines) && !lines->ended && !is_too_long(lines)) {
        if (!lines->gzip && poll(&wanted, 1, 0) <= 0) return 0;
        fill(lines);
    }
    return 1;
}

/* ---- What is known of them ---- */

int lines_had_bom(const Lines *lines)
{
    return lines->had_bom;
}

int lines_end_in_cr(const Lines *lines)
{
    return lines->cr;
}

long lines_number(const Lines *lines)
{
    return lines->number;
}

const char *lines_name(const Lines *lines)
{
    return lines->name;
}

double lines_bytes(const char *path)
{
    struct stat status;
    const int standard = is_standard_input(path);
    const off_t behind = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    if (standard ? fstat(STDIN_FILENO, &status) : stat(path, &status)) return -1;
    const int known = S_ISREG(status.st_mode) && status.st_size >= behind;
    return known ? (double)(status.st_size - behind) : -1;
}

double lines_bytes_returned(Lines *lines)
{
    const double returned = lines->read - (double)(lines->end - lines->start);
    const Gzip *gzip = lines->gzip;
    if (!gzip || !lines->read) return returned;
    return (gzip->read - gzip->stream.avail_in) * returned / lines->read;
}
