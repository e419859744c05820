/* zip.h - the members of a zip archive in memory (PKWARE's APPNOTE.TXT): stored or deflated, below
 * 4 GiB, not encrypted. With base/files/lines.c the users of zlib.
 *
 * The central directory at the end says where members are and how large. Members together take no
 * more bytes than the archive has, and none unpacks to more than deflate can give: so a small file
 * asks for no huge memory.
 */
#ifndef ATTN_IMPORT_ZIP_H
#define ATTN_IMPORT_ZIP_H

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

#include <stdint.h>

typedef struct {
    Slice    name;
    int      is_deflated;
    uint32_t check;             /* CRC-32 of what it unpacks to */
    size_t   size;              /* unpacked */
    Slice    packed;
} ZipMember;

/* Names and bytes point into the archive. zip_close releases. */
typedef struct {
    ZipMember *member;          /* (count) */
    size_t     count;
} Zip;

int  zip_open(Zip *zip, Slice file, Err *e);
void zip_close(Zip *zip);

/* zip_read - *content becomes the unpacked bytes, which are checked: in the memory, or in the
 * archive. -1 with a message.
 * zip_start - the first bytes of it, at most `most`, unchecked; returns how many. */
int    zip_read(const ZipMember *member, Slice *content, Region *memory, Err *e);
size_t zip_start(const ZipMember *member, char *start, size_t most);

#endif
