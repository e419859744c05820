/* zip.c - reads the directory of a zip archive, and unpacks its members. */
#include "import/zip.h"

#include "base/bytes.h"
#include "base/mem.h"

#include <zlib.h>

/* Sizes of records, and where their numbers are. */
enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MOST_COMMENT = 65535 };
#define LOCAL "PK\3\4"
#define ENTRY "PK\1\2"
#define END   "PK\5\6"
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

/* No byte of deflate gives more than 1,032. */
enum { MOST_GROWTH = 1032, GROWTH_ROOM = 64 };

/* ---- The directory ---- */

/* The last one: a comment may follow it. */
static int find_end(Slice file, size_t *at)
{
    if (file.length < END_BYTES) return -1;
    const size_t last = file.length - END_BYTES;
    for (size_t back = 0; back <= last && back <= MOST_COMMENT; back++)
        if (!memcmp(file.text + last - back, END, 4)) {
            *at = last - back;
            return 0;
        }
    return -1;
}

/* The bytes of a member stand behind a record like its entry. */
static int place_member(ZipMember *m, Slice file, size_t local, size_t packed)
{
    if (local > file.length || file.length - local < LOCAL_BYTES
        || memcmp(file.text + local, LOCAL, 4))
        return -1;
    const size_t names = bytes_at(file, local + 26, 2) + bytes_at(file, local + 28, 2);
    const size_t rest = file.length - local - LOCAL_BYTES;
    if (names > rest || packed > rest - names) return -1;
    m->packed = (Slice){ file.text + local + LOCAL_BYTES + names, packed };
    return 0;
}

static int check_member(const ZipMember *m, int flags, uint64_t method, Err *e)
{
    if (flags & ENCRYPTED) return err(e, "member \"%.*s\" is encrypted", SHOWN(m->name));
    if (method != STORED && method != DEFLATED)
        return err(e, "member \"%.*s\" is packed in a way other than deflate; unpack the archive "
                      "and name the folder", SHOWN(m->name));
    if (m->is_deflated ? m->size / MOST_GROWTH > m->packed.length + GROWTH_ROOM
                       : m->size != m->packed.length)
        return err(e, "member \"%.*s\" cannot have %zu bytes: damaged?", SHOWN(m->name),
                   m->size);
    return 0;
}

/* Takes one entry of the directory. */
static int take_entry(Zip *zip, Slice file, Slice *rest, size_t *used, Err *e)
{
    static const char damaged[] = "is a damaged zip archive: its directory does not fit it";
    ZipMember *m = &zip->member[zip->count];
    Slice entry, others;
    if (bytes_take(rest, ENTRY_BYTES, &entry) || memcmp(entry.text, ENTRY, 4)
        || bytes_take(rest, bytes_at(entry, 28, 2), &m->name)
        || bytes_take(rest, bytes_at(entry, 30, 2) + bytes_at(entry, 32, 2), &others))
        return err(e, "%s", damaged);
    const size_t packed = bytes_at(entry, 20, 4), size = bytes_at(entry, 24, 4);
    if (packed == UINT32_MAX || size == UINT32_MAX)
        return err(e, "is an archive with members of 4 GiB or more, which are not read; unpack it "
                      "and name the folder");
    m->size = size;
    m->check = (uint32_t)bytes_at(entry, 16, 4);
    m->is_deflated = bytes_at(entry, 10, 2) == DEFLATED;
    if (place_member(m, file, bytes_at(entry, 42, 4), packed)) return err(e, "%s", damaged);
    *used += packed + LOCAL_BYTES;
    if (*used > file.length) return err(e, "is a damaged zip archive: its members overlap");
    zip->count++;
    return check_member(m, (int)bytes_at(entry, 8, 2), bytes_at(entry, 10, 2), e);
}

int zip_open(Zip *zip, Slice file, Err *e)
{
    size_t at, used = 0;
    *zip = (Zip){ 0 };
    if (find_end(file, &at))
        return err(e, "is a truncated zip archive: the directory at its end is missing");
    const size_t count = bytes_at(file, at + 10, 2), start = bytes_at(file, at + 16, 4);
    if (start > at) return err(e, "is a damaged zip archive: its directory is not where it says");
    Slice rest = { file.text + start, at - start };
    zip->member = xcalloc(count + 1, sizeof *zip->member);
    while (zip->count < count)
        if (take_entry(zip, file, &rest, &used, e)) return -1;
    return 0;
}

void zip_close(Zip *zip)
{
    xfree(zip->member);
    *zip = (Zip){ 0 };
}

/* ---- Members ---- */

/* Unpacks up to `most` bytes; returns how many there were. All sizes have 32 bits. */
static size_t unpack(Slice packed, char *out, size_t most)
{
    z_stream z = { .next_in = (unsigned char *)packed.text, .avail_in = (unsigned)packed.length,
                   .next_out = (unsigned char *)out, .avail_out = (unsigned)most };
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return 0;         /* without a header of zlib */
    inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return most - z.avail_out;
}

int zip_read(const ZipMember *member, Slice *content, Region *memory, Err *e)
{
    *content = member->packed;
    if (member->is_deflated) {
        char *out = region_take(memory, member->size, 1);
        *content = (Slice){ out, unpack(member->packed, out, member->size) };
    }
    if (content->length == member->size
        && crc32_z(0, (const unsigned char *)content->text, content->length) == member->check)
        return 0;
    return err(e, "member \"%.*s\" is damaged", SHOWN(member->name));
}

size_t zip_start(const ZipMember *member, char *start, size_t most)
{
    if (member->is_deflated) return unpack(member->packed, start, most);
    const size_t length = member->packed.length < most ? member->packed.length : most;
    memcpy(start, member->packed.text, length);
    return length;
}
