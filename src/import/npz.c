/* npz.c - numpy's archive of arrays: a zip archive with a member NAME.npy for each. */
#include "import/arrays.h"

#include "base/bytes.h"
#include "base/strings.h"
#include "import/zip.h"

#include <ctype.h>
#include <stdlib.h>

#define MAGIC "\x93NUMPY"
enum { MAGIC_LENGTH = 6, LARGEST_HEADER = 1 << 16 };

static const struct { const char *descr; ArrayType type; } types[] = {
    { "<f4", ARRAY_F32 }, { "<f2", ARRAY_F16 }, { "<f8", ARRAY_F64 }, { "|i1", ARRAY_I8 },
    { "<i1", ARRAY_I8 }, { "|u1", ARRAY_U8 }, { "<u1", ARRAY_U8 }, { "<i2", ARRAY_I16 },
    { "<i4", ARRAY_I32 }, { "<i8", ARRAY_I64 }, { "|S1", ARRAY_U8 }
};

/* What follows 'key': in the header, the text of a Python dictionary; or NULL. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at) return NULL;
    at += strlen(key);
    while (*at == ' ') at++;
    if (*at++ != ':') return NULL;
    while (*at == ' ') at++;
    return at;
}

static int read_type(Array *a, const char *header, Err *e)
{
    const char *descr = value_of(header, "'descr'");
    for (size_t i = 0; descr && i < sizeof types / sizeof *types; i++)
        if (*descr == '\'' && !strncmp(descr + 1, types[i].descr, 3) && descr[4] == '\'') {
            a->type = types[i].type;
            return 0;
        }
    return err(e, "its type %.*s is none that is read", descr ? (int)strcspn(descr, ",}") : 4,
               descr ? descr : "None");
}

/* (2, 3), (2,) or (). */
static int read_shape(Array *a, const char *header, Err *e)
{
    const char *at = value_of(header, "'shape'");
    a->rank = 0;
    if (!at || *at++ != '(') return err(e, "it has no shape");
    while (*at != ')') {
        char *end;
        if (!isdigit((unsigned char)*at) || a->rank == ARRAY_RANK)
            return err(e, "its shape is none that is read");
        a->shape[a->rank++] = strtoull(at, &end, 10);
        at = end;
        if (*at == ',') at++;
        while (*at == ' ') at++;
    }
    return 0;
}

/* Takes the header off the bytes of a member. */
static int read_header(Array *a, Slice *rest, Err *e)
{
    Slice taken;
    uint64_t version, length;
    char header[LARGEST_HEADER + 1];
    if (bytes_take(rest, MAGIC_LENGTH, &taken) || memcmp(taken.text, MAGIC, MAGIC_LENGTH)
        || bytes_number(rest, 2, &version) || !version || version > 3
        || bytes_number(rest, version == 1 ? 2 : 4, &length) || length > LARGEST_HEADER
        || bytes_take(rest, length, &taken))
        return err(e, "it is no array of numpy");
    memcpy(header, taken.text, length);
    header[length] = '\0';
    if (read_type(a, header, e) || read_shape(a, header, e)) return -1;
    const char *order = value_of(header, "'fortran_order'");
    if (order && !strncmp(order, "False", 5)) return 0;
    return err(e, "it is stored by columns; save it with numpy.ascontiguousarray");
}

static int read_member(Arrays *all, const ZipMember *member, Err *e)
{
    Array a = { 0 };
    Slice rest, name = member->name;
    Err why;
    if (zip_read(member, &rest, &all->memory, e)) return -1;
    if (bytes_end(name, ".npy")) name.length -= strlen(".npy");
    if (read_header(&a, &rest, &why) || array_place(&a, &rest, &why))
        return err(e, "array \"%.*s\": %s", SHOWN(name), why.text);
    arrays_add(all, name, &a);
    return 0;
}

int npz_read(Arrays *all, Slice file, Err *e)
{
    SCOPED(zip_close) Zip zip;
    int failed = zip_open(&zip, file, e);
    for (size_t i = 0; i < zip.count && !failed; i++)
        failed = read_member(all, &zip.member[i], e);
    return failed ? -1 : arrays_end(all, e);
}
