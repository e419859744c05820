/* safetensors.c - reads named tensors from an untrusted file, and writes them.
 *
 * Reading checks from the outside in: length, text, JSON, keys, each tensor alone, then all tensors
 * together. Each step relies on what the steps before it have proved; nothing that a step refuses
 * can reach a later step.
 */
#include "model/file/safetensors.h"

#include "base/buf.h"
#include "base/files/files.h"
#include "base/files/replace.h"
#include "base/mem.h"
#include "base/strings.h"
#include "text/unicode.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the file's values are copied as they lie in memory");

enum { LARGEST_HEADER = 100000000, DATA_ALIGNMENT = 64 };

#define METADATA "__metadata__"
#define EXACT_IN_DOUBLE 0x1p53          /* whole numbers up to here are exact in cJSON */

static const char *const dtype_names[] = { "F32", "I8", "U8", "F16", "BF16" };
static const size_t dtype_sizes[] = { sizeof(float), sizeof(int8_t), sizeof(uint8_t), 2, 2 };

struct Safetensors {
    int     fd;
    size_t  size;           /* of the file */
    size_t  data;           /* where the values begin */
    cJSON  *header;
    Tensor *tensor;         /* (count) in the order of their data; names point into the header */
    size_t  count;
};

/* ---- Tensors ---- */

size_t tensor_count(const Tensor *t)
{
    size_t count = 1;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    return count;
}

/* In a file. */
static size_t tensor_bytes(const Tensor *t)
{
    return tensor_count(t) * dtype_sizes[t->dtype];
}

static const char *shape_text(const Tensor *t, Buf *out)
{
    for (int i = 0; i < t->rank; i++)
        buf_printf(out, "%s%zu", i ? ", " : "", t->shape[i]);
    return out->text ? out->text : "";
}

/* ---- Reading: the header ---- */

/* Others may cut the file short at any moment. */
static int read_bytes(const Safetensors *s, size_t at, void *to, size_t size, Err *e)
{
    const ssize_t got = file_read_at(s->fd, at, to, size);
    if (got < 0) return err(e, "cannot be read: %s", strerror(errno));
    if ((size_t)got == size) return 0;
    return err(e, "was cut short while it was read; try again when nobody writes it");
}

static int compare_keys(const void *a, const void *b)
{
    const cJSON *const *left = a, *const *right = b;
    return strcmp((*left)->string, (*right)->string);
}

/* Sorting makes equal keys neighbours: a header may have a million. */
static int check_keys(const cJSON *object, Err *e)
{
    size_t count = 0;
    SCOPED(xfree_at)
    const cJSON **member = xmalloc((size_t)cJSON_GetArraySize(object), sizeof *member);
    const cJSON *item, *twice = NULL;
    cJSON_ArrayForEach(item, object)
        member[count++] = item;
    qsort(member, count, sizeof *member, compare_keys);
    for (size_t i = 1; i < count && !twice; i++)
        if (!compare_keys(&member[i - 1], &member[i])) twice = member[i];
    return twice ? err(e, "the key \"%.60s\" occurs twice", twice->string) : 0;
}

static int check_metadata(const cJSON *metadata, Err *e)
{
    const cJSON *item;
    if (!metadata) return 0;
    if (!cJSON_IsObject(metadata)) return err(e, "\"" METADATA "\" is not an object");
    cJSON_ArrayForEach(item, metadata)
        if (!cJSON_IsString(item))
            return err(e, "\"%.60s\" in \"" METADATA "\" is not a string", item->string);
    return check_keys(metadata, e);
}

static int parse_header(Safetensors *s, const char *text, size_t length, Err *e)
{
    Err why;
    if (!length || *text != '{') return err(e, "the header doesn't begin with '{'");
    if (!unicode_valid(text, length)) return err(e, "the header is not valid UTF-8");
    s->header = json_parse(text, length, &why);
    if (!s->header) return err(e, "the header: %s", why.text);
    if (check_keys(s->header, e)) return -1;
    return check_metadata(cJSON_GetObjectItemCaseSensitive(s->header, METADATA), e);
}

static int read_header(Safetensors *s, Err *e)
{
    uint64_t length;
    if (s->size < sizeof length)
        return err(e, "is not a safetensors file: it has only %zu byte%s", s->size,
                   plural((double)s->size));
    if (read_bytes(s, 0, &length, sizeof length, e)) return -1;
    if (length > LARGEST_HEADER)
        return err(e, "is not a safetensors file: it doesn't begin with the length of a header");
    if (length > s->size - sizeof length)
        return err(e, "is truncated: its header has %" PRIu64 " bytes, of which %zu are there",
                   length, s->size - sizeof length);
    s->data = sizeof length + length;
    SCOPED(xfree_at) char *text = xmalloc(length, 1);
    if (read_bytes(s, sizeof length, text, length, e)) return -1;
    return parse_header(s, text, length, e);
}

/* ---- Reading: one tensor ---- */

/* Reads the array `key` of at most `most` whole numbers; returns their count, or -1. */
static int read_numbers(const cJSON *item, const char *key, size_t *out, int most, Err *e)
{
    const cJSON *array, *number;
    int count = 0;
    if (json_get_array(item, key, &array, e)) return -1;
    cJSON_ArrayForEach(number, array) {
        double x = number->valuedouble;
        if (!cJSON_IsNumber(number) || !(x >= 0 && x <= EXACT_IN_DOUBLE) || x != floor(x))
            return err(e, "\"%s\" has a value that is not a size", key);
        if (count == most) return err(e, "\"%s\" has more than %d numbers", key, most);
        out[count++] = (size_t)x;
    }
    return count;
}

static int read_dtype(Tensor *t, const cJSON *item, Err *e)
{
    const char *word;
    if (json_get_string(item, "dtype", &word, e)) return -1;
    for (t->dtype = DTYPE_F32; t->dtype <= DTYPE_BF16; t->dtype++)
        if (!strcmp(dtype_names[t->dtype], word)) return 0;
    return err(e, "its type \"%.20s\" is not one of F32, I8, U8, F16, BF16", word);
}

/* After the header come so many bytes of data. */
static int read_tensor(Tensor *t, const cJSON *item, size_t size, Err *e)
{
    size_t offset[2];
    if (read_dtype(t, item, e)) return -1;
    size_t bytes = dtype_sizes[t->dtype];
    t->name = item->string;
    t->rank = read_numbers(item, "shape", t->shape, TENSOR_RANK, e);
    if (t->rank < 0) return -1;
    for (int i = 0; i < t->rank; i++)
        if (__builtin_mul_overflow(bytes, t->shape[i], &bytes))
            return err(e, "its shape is too large for any memory");
    const int numbers = read_numbers(item, "data_offsets", offset, 2, e);
    if (numbers < 0) return -1;
    if (numbers < 2 || offset[0] > offset[1]) return err(e, "\"data_offsets\" is not [begin, end]");
    if (cJSON_GetArraySize(item) != 3)
        return err(e, "it has other keys than dtype, shape and data_offsets, each once");
    if (offset[1] - offset[0] != bytes)
        return err(e, "its shape takes %zu bytes, its data_offsets %zu", bytes,
                   offset[1] - offset[0]);
    if (offset[1] > size)
        return err(e, "it ends at byte %zu of the data, of which %zu are there: truncated?",
                   offset[1], size);
    t->at = offset[0];
    return 0;
}

/* ---- Reading: all tensors ---- */

static int read_tensors(Safetensors *s, size_t size, Err *e)
{
    const cJSON *item;
    Err why;
    s->tensor = xcalloc((size_t)cJSON_GetArraySize(s->header), sizeof *s->tensor);
    cJSON_ArrayForEach(item, s->header) {
        if (!strcmp(item->string, METADATA)) continue;
        if (read_tensor(&s->tensor[s->count++], item, size, &why))
            return err(e, "tensor \"%.60s\": %s", item->string, why.text);
    }
    return 0;
}

/* Orders by the start of the data; an empty tensor comes before another tensor that starts at the
 * same byte. */
static int compare_places(const void *a, const void *b)
{
    const Tensor *left = a, *right = b;
    const size_t x = left->at, y = right->at, m = tensor_bytes(left), n = tensor_bytes(right);
    return x != y ? (x > y) - (x < y) : (m > n) - (m < n);
}

static int check_places(Safetensors *s, size_t size, Err *e)
{
    size_t end = 0;
    qsort(s->tensor, s->count, sizeof *s->tensor, compare_places);
    for (size_t i = 0; i < s->count; i++) {
        const Tensor *t = &s->tensor[i];
        if (t->at != end)
            return err(e, "tensor \"%.60s\": it begins at byte %zu of the data, not at %zu, "
                          "where the one before ends", t->name, t->at, end);
        end += tensor_bytes(t);
    }
    const size_t rest = size - end;
    return rest ? err(e, "bytes after the last tensor, which belong to none: %zu", rest) : 0;
}

Safetensors *safetensors_open(const char *path, Err *e)
{
    Err why;
    size_t size;
    const int fd = file_open_regular(path, &size, e);
    if (fd < 0) return NULL;
    Safetensors *s = xcalloc(1, sizeof *s);
    s->fd = fd;
    s->size = size;
    if (!read_header(s, &why) && !read_tensors(s, size - s->data, &why)
        && !check_places(s, size - s->data, &why))
        return s;
    err(e, "%s: %s", path, why.text);
    safetensors_close(s);
    return NULL;
}

void safetensors_close(Safetensors *file)
{
    if (!file) return;
    xfree(file->tensor);
    json_free(file->header);
    file_close(file->fd);
    xfree(file);
}

size_t safetensors_count(const Safetensors *file)
{
    return file->count;
}

const Tensor *safetensors_at(const Safetensors *file, size_t i)
{
    return &file->tensor[i];
}

const char *safetensors_metadata(const Safetensors *file, const char *key)
{
    const cJSON *metadata = cJSON_GetObjectItemCaseSensitive(file->header, METADATA);
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(metadata, key));
}

const Tensor *safetensors_find(const Safetensors *file, const Tensor *wanted, Err *e)
{
    const Tensor *t = NULL;
    for (size_t i = 0; i < file->count && !t; i++)
        if (!strcmp(file->tensor[i].name, wanted->name)) t = &file->tensor[i];
    if (t && t->rank == wanted->rank
        && !memcmp(t->shape, wanted->shape, (size_t)t->rank * sizeof *t->shape))
        return t;
    SCOPED(buf_free) Buf found = { 0 }, expected = { 0 };
    if (!t)
        err(e, "tensor \"%s\" of shape [%s] is missing", wanted->name,
            shape_text(wanted, &expected));
    else
        err(e, "tensor \"%s\" has the shape [%s], not [%s]", wanted->name, shape_text(t, &found),
            shape_text(wanted, &expected));
    return NULL;
}

const Tensor *safetensors_bytes(const Safetensors *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++) {
        const Tensor *t = &file->tensor[i];
        if (!strcmp(t->name, name)) return t->dtype == DTYPE_U8 && t->rank == 1 ? t : NULL;
    }
    return NULL;
}

int safetensors_read(const Safetensors *file, const Tensor *t, Dtype dtype, void *out, Err *e)
{
    const size_t count = tensor_count(t);
    if (t->dtype != dtype)
        return err(e, "tensor \"%s\" has the type %s, not %s", t->name, dtype_names[t->dtype],
                   dtype_names[dtype]);
    if (read_bytes(file, file->data + t->at, out, tensor_bytes(t), e)) return -1;
    /* in the build in double, from the last one on */
    for (size_t i = count; dtype == DTYPE_F32 && sizeof(real) > sizeof(float) && i--;) {
        float slim;
        memcpy(&slim, (const char *)out + i * sizeof slim, sizeof slim);
        ((real *)out)[i] = slim;
    }
    return 0;
}

/* ---- Writing ---- */

static void add_sizes(cJSON *object, const char *key, const size_t *sizes, int count)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)sizes[i]));
}

static cJSON *header_to_json(const Tensor *tensors, size_t count, const cJSON *metadata)
{
    cJSON *header = cJSON_CreateObject();
    size_t offset[2] = { 0, 0 };
    cJSON_AddItemToObject(header, METADATA, cJSON_Duplicate(metadata, 1));
    for (size_t i = 0; i < count; i++) {
        const Tensor *t = &tensors[i];
        cJSON *item = cJSON_AddObjectToObject(header, t->name);
        offset[0] = offset[1];
        offset[1] += tensor_bytes(t);
        cJSON_AddStringToObject(item, "dtype", dtype_names[t->dtype]);
        add_sizes(item, "shape", t->shape, t->rank);
        add_sizes(item, "data_offsets", offset, 2);
    }
    return header;
}

static void write_values(FILE *stream, const Tensor *t)
{
    const size_t count = tensor_count(t);
    if (t->dtype != DTYPE_F32 || sizeof(real) == sizeof(float)) {
        fwrite(t->data, dtype_sizes[t->dtype], count, stream);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const float slim = (float)((const real *)t->data)[i];
        fwrite(&slim, sizeof slim, 1, stream);
    }
}

int safetensors_write(const char *path, const Tensor *tensors, size_t count,
                      const cJSON *metadata, Err *e)
{
    Replace r;
    cJSON *json = header_to_json(tensors, count, metadata);
    char *text = json_text(json, 0);
    const size_t used = strlen(text);
    const size_t blocks = (sizeof(uint64_t) + used + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT;
    const uint64_t length = blocks * DATA_ALIGNMENT - sizeof length;
    int rc = -1;
    cJSON_Delete(json);
    if (length > LARGEST_HEADER)
        err(e, "%s: names and metadata of %zu bytes are more than the format allows", path, used);
    else if (!replace_open(&r, path, e)) {
        fwrite(&length, sizeof length, 1, r.stream);
        fprintf(r.stream, "%-*s", (int)length, text);
        for (size_t i = 0; i < count; i++)
            write_values(r.stream, &tensors[i]);
        rc = replace_commit(&r, e);
    }
    cJSON_free(text);
    return rc;
}
