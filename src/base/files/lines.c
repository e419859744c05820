/* lines.c - lines from files, pipes and gzip.
 *
 * read(2) or zlib fills one buffer, and lines are handed out in place: no copy, and no waiting for
 * more than the line that was asked for, which neither stdio nor zlib promises on a pipe.
 */
#include "base/files/lines.h"

#include "base/files/files.h"
#include "base/mem.h"
#include "base/strings.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { READ_BYTES = 1 << 16, LARGEST_READ = 1 << 30 };

#define GZIP_BEGINNING "\x1F\x8B"

struct Lines {
    char  *name;
    int    fd;
    gzFile gzip;            /* NULL: plain bytes */
    char  *buffer;          /* start..end: not yet returned; start..scanned: without a line end */
    size_t capacity, start, scanned, end;
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

/* Of a file: what a pipe gives cannot be put back. */
static int begins_as_gzip(int fd)
{
    char first[sizeof GZIP_BEGINNING - 1];
    const off_t at = lseek(fd, 0, SEEK_CUR);
    return at >= 0 && pread(fd, first, sizeof first, at) == sizeof first
           && !memcmp(first, GZIP_BEGINNING, sizeof first);
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
    if (!begins_as_gzip(fd)) return lines;
    if (!(lines->gzip = gzdopen(dup(fd), "rb"))) die("out of memory: zlib could not start");
    gzbuffer(lines->gzip, READ_BYTES);
    return lines;
}

int lines_check(const char *path, Err *e)
{
    return is_standard_input(path) ? 0 : file_check(path, e);
}

void lines_close(Lines *lines)
{
    if (!lines) return;
    if (lines->gzip) gzclose_r(lines->gzip);
    if (lines->fd != STDIN_FILENO) file_close(lines->fd);
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

static ssize_t read_plain(Lines *lines, char *to, size_t most)
{
    struct pollfd wanted = { .fd = lines->fd, .events = POLLIN };
    ssize_t got;
    while ((got = read(lines->fd, to, most)) < 0 && (errno == EAGAIN || errno == EINTR))
        if (errno == EAGAIN) poll(&wanted, 1, -1);
    if (got < 0) fail(lines, strerror(errno));
    return got;
}

static ssize_t read_gzip(Lines *lines, char *to, size_t most)
{
    int status;
    const int got = gzread(lines->gzip, to, (unsigned)most);
    if (got > 0) return got;
    const char *why = gzerror(lines->gzip, &status);
    if (status == Z_BUF_ERROR) why = "truncated gzip data";
    if (status == Z_DATA_ERROR) why = "damaged gzip data";
    if (status != Z_OK && status != Z_STREAM_END) fail(lines, why);
    return 0;
}

/* Reads once, waiting if need be; sets ended or failed when there is no more. */
static void fill(Lines *lines)
{
    size_t most = reserve(lines);
    char *to = lines->buffer + lines->end;
    const ssize_t got = lines->gzip ? read_gzip(lines, to, most) : read_plain(lines, to, most);
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

/* The end of the next line, or NULL while it isn't in the buffer. */
static char *line_end(Lines *lines)
{
    if (lines->scanned == lines->end) return NULL;
    char *at = lines->buffer + lines->scanned;
    char *found = memchr(at, '\n', lines->end - lines->scanned);
    lines->scanned = found ? (size_t)(found - lines->buffer) : lines->end;
    return found;
}

static size_t bom_length(const Lines *lines)
{
    static const char bom[] = { '\xEF', '\xBB', '\xBF' };
    if (lines->end - lines->start < sizeof bom) return 0;
    return memcmp(lines->buffer + lines->start, bom, sizeof bom) ? 0 : sizeof bom;
}

/* ---- What holds no UTF-8 text is known by its first bytes ---- */

#define WIDE(encoding) \
    "is " encoding " text, UTF-8 is needed; 'iconv -f " encoding " -t UTF-8' converts it"
#define PACKED(program) "is packed by " program "; '" program " -dc' unpacks it"

/* Of two that match, the first is it. */
static const struct { size_t at, length; const char *bytes, *is; } beginnings[] = {
    { 0, 4, "\xFF\xFE\0\0", WIDE("UTF-32") },
    { 0, 4, "\0\0\xFE\xFF", WIDE("UTF-32") },
    { 0, 2, "\xFF\xFE", WIDE("UTF-16") },
    { 0, 2, "\xFE\xFF", WIDE("UTF-16") },
    { 0, 2, GZIP_BEGINNING, PACKED("gzip") },
    { 0, 6, "\xFD" "7zXZ\0", PACKED("xz") },
    { 0, 4, "\x28\xB5\x2F\xFD", PACKED("zstd") },
    { 4, 6, "1AY&SY", PACKED("bzip2") },
    { 0, 4, "PK\3\4", "is a zip archive or a document; 'unzip -p' prints what is in an archive, and "
                      "saved as tab-separated text, a table can be read" },
};

/* Before the first line: -1 for what is no text. */
static int check_text(const Lines *lines, Err *e)
{
    const char *bytes = lines->buffer + lines->start;
    const size_t length = lines->end - lines->start;
    for (size_t i = 0; !lines->gzip && i < sizeof beginnings / sizeof *beginnings; i++) {
        const size_t at = beginnings[i].at, size = beginnings[i].length;
        if (length >= at + size && !memcmp(bytes + at, beginnings[i].bytes, size))
            return err(e, "%s: %s", lines->name, beginnings[i].is);
    }
    if (!lines->gzip && ends_with(lines->name, ".gz"))
        return err(e, "%s: is not gzip data, though its name ends in .gz", lines->name);
    if (length && memchr(bytes, '\r', length - 1) && !memchr(bytes, '\n', length))
        return err(e, "%s: its lines end in carriage returns; tr '\\r' '\\n' converts them",
                   lines->name);
    return 0;
}

/* ---- Returning lines ---- */

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

int lines_next(Lines *lines, char **line, size_t *length, Err *e)
{
    const int first = lines->number == 0;
    const char *end;        /* NULL: that of the file */
    while (!(end = line_end(lines)) && !lines->ended && !is_too_long(lines))
        fill(lines);
    if (first && check_text(lines, e)) return -1;
    if (is_too_long(lines))
        return err(e, "%s:%ld: a line of more than %d MiB: is this a text?", lines->name,
                   lines->number + 1, LINE_BYTES >> 20);
    if (!end && lines->failed) {
        *e = lines->failure;
        return -1;
    }
    if (first) {
        const size_t bom = bom_length(lines);
        lines->had_bom = bom > 0;
        lines->start += bom;
    }
    if (!end && lines->start == lines->end) return 0;
    *line = lines->buffer + lines->start;
    *length = (end ? (size_t)(end - lines->buffer) : lines->end) - lines->start;
    lines->start = lines->scanned = end ? lines->scanned + 1 : lines->end;
    if (*length && (*line)[*length - 1] == '\r') --*length;
    (*line)[*length] = '\0';
    lines->number++;
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
    if (!lines->gzip || !lines->read) return returned;
    return (double)gzoffset(lines->gzip) * returned / lines->read;
}
