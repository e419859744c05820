/* package.c - finds the files of a foreign model, and what each of them is. */
#define _GNU_SOURCE      /* memmem */
#include "import/package.h"

#include "base/bytes.h"
#include "base/files/files.h"
#include "base/mem.h"
#include "base/strings.h"
#include "import/vocabulary.h"
#include "import/zip.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { START_BYTES = 4096 };

/* ---- What a file is ---- */

static int begins_as_text(Slice start)
{
    for (size_t i = 0; i < start.length; i++) {
        const unsigned char c = (unsigned char)start.text[i];
        if (c < ' ' && (!c || !strchr("\t\n\r\f", c))) return 0;
    }
    return start.length > 0;
}

/* A message of pieces: field 1 of some length, whose field 1 is a text within it. */
static int begins_as_sentencepiece(Slice start)
{
    const unsigned char *at = (const unsigned char *)start.text;
    return start.length > 4 && at[0] == 0x0A && at[1] > 2 && at[1] < 0x80 && at[2] == 0x0A
           && at[3] && at[3] <= at[1] - 2;
}

/* PyTorch's archive begins with the member NAME/data.pkl. */
static int begins_as_pickle(Slice start)
{
    enum { NAME_BYTES = 256 };
    const size_t length = start.length < NAME_BYTES ? start.length : NAME_BYTES;
    return bytes_begin(start, "PK\3\4") && memmem(start.text, length, "/data.pkl", 9);
}

/* By its first line: JSON, YAML, or a token. */
static FileKind kind_of_text(Slice start)
{
    static const struct { const char *start; FileKind kind; } starts[] = {
        { "{", FILE_JSON }, { "[", FILE_JSON },
        { "---", FILE_YAML }, { "%YAML", FILE_YAML }, { "? ", FILE_YAML }, { "#", FILE_YAML }
    };
    Slice first;
    if (bytes_begin(start, "\xEF\xBB\xBF")) bytes_take(&start, 3, &first);
    while (start.length && strchr(" \t\r\n", *start.text)) bytes_take(&start, 1, &first);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (bytes_begin(start, starts[i].start)) return starts[i].kind;
    for (size_t i = 0; i + 1 < start.length && start.text[i] != '\n'; i++)
        if (start.text[i] == ':' && strchr(" \r\n", start.text[i + 1])) return FILE_YAML;
    return FILE_VOCABULARY;
}

static FileKind kind_of_start(Slice start)
{
    static const struct { const char *bytes; FileKind kind; } magics[] = {
        { "PK\3\4", FILE_ZIP }, { "\x80\2", FILE_PICKLE }, { "\x80\4", FILE_PICKLE },
        { "\x1F\x8B", FILE_PACKED }, { "\x28\xB5\x2F\xFD", FILE_PACKED },
        { "\xFD" "7zXZ", FILE_PACKED }, { "BZh", FILE_PACKED },
        { "\xF5\x17\x34\x01\xD5\xA4\x11\xF3", FILE_SHORTLIST },
    };
    if (begins_as_pickle(start)) return FILE_PICKLE;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (bytes_begin(start, magics[i].bytes)) return magics[i].kind;
    if (start.length > 8 && start.text[8] == '{' && !bytes_at(start, 4, 4)
        && !begins_as_text((Slice){ start.text, 8 }))
        return FILE_SAFETENSORS;
    if (start.length >= 16 && bytes_at(start, 0, 4) && bytes_at(start, 0, 4) < 32)
        return bytes_at(start, 4, 4) ? FILE_CTRANSLATE2 : FILE_MARIAN_BIN;
    if (begins_as_sentencepiece(start)) return FILE_SENTENCEPIECE;
    return begins_as_text(start) ? kind_of_text(start) : FILE_OTHER;
}

/* Of numpy's arrays, not of a model's files. */
static int has_arrays_alone(const Zip *zip)
{
    size_t arrays = 0;
    for (size_t i = 0; i < zip->count; i++)
        arrays += (size_t)bytes_end(zip->member[i].name, ".npy");
    return arrays && arrays == zip->count;
}

/* ---- Adding files ---- */

static int names_target(const char *name)
{
    return strstr(name, "target") || strstr(name, "trg") || strstr(name, "tgt");
}

static int add(Package *p, FileKind kind, const char *path, Slice bytes, int is_named, Err *e)
{
    const char *slash = strrchr(path, '/');
    p->file = grow(p->file, &p->capacity, p->count + 1, sizeof *p->file);
    PackageFile *file = &p->file[p->count++];
    *file = (PackageFile){ .kind = kind, .bytes = bytes };
    file->path = region_strndup(&p->memory, path, strlen(path));
    file->name = slash ? file->path + (slash + 1 - path) : file->path;
    file->is_target = names_target(file->name);
    Err why;
    int failed = 0;
    if (kind == FILE_JSON) failed = !(file->json = json_parse(bytes.text, bytes.length, &why));
    if (kind == FILE_YAML) failed = yamlmap_read(&file->yaml, bytes, &why);
    if (failed) file->kind = FILE_OTHER;
    else if (vocabulary_is(file)) file->kind = FILE_VOCABULARY;
    const int is_sure = is_named || ends_with(path, ".json") || strstr(file->name, "vocab");
    return failed && is_sure ? err(e, "%s: %s", path, why.text) : 0;
}

/* Of a folder's or an archive's texts only those are vocabularies that say so. */
static int is_wanted(FileKind kind, const char *path)
{
    const char *slash = strrchr(path, '/');
    return kind != FILE_OTHER && (kind != FILE_VOCABULARY || strstr(slash ? slash : path, "vocab"));
}

/* Adds what an archive has. Other archives in it are none: some hold themselves. */
static int add_members(Package *p, const Zip *zip, const char *archive, Err *e)
{
    for (size_t i = 0; i < zip->count; i++) {
        const ZipMember *member = &zip->member[i];
        char start[START_BYTES];
        SCOPED(buf_free) Buf path = { 0 };
        SCOPED(zip_close) Zip inner = { 0 };
        Slice bytes;
        Err why;
        FileKind kind = kind_of_start((Slice){ start, zip_start(member, start, sizeof start) });
        buf_printf(&path, "%s/%.*s", archive, (int)member->name.length,
                   member->name.text);
        if (!is_wanted(kind, path.text)) continue;
        if (zip_read(member, &bytes, &p->memory, &why))
            return err(e, "%s: %s", archive, why.text);
        if (kind == FILE_ZIP && !zip_open(&inner, bytes, &why) && has_arrays_alone(&inner))
            kind = FILE_NPZ;
        if (add(p, kind, path.text, bytes, 0, e)) return -1;
    }
    return 0;
}

int package_add(Package *p, const char *path, Slice bytes, int is_named, Err *e)
{
    const size_t length = bytes.length < START_BYTES ? bytes.length : START_BYTES;
    const FileKind kind = kind_of_start((Slice){ bytes.text, length });
    SCOPED(zip_close) Zip zip = { 0 };
    Err why;
    if (kind != FILE_ZIP) return add(p, kind, path, bytes, is_named, e);
    if (zip_open(&zip, bytes, &why)) return err(e, "%s: %s", path, why.text);
    return has_arrays_alone(&zip) ? add(p, FILE_NPZ, path, bytes, is_named, e)
                                  : add_members(p, &zip, path, e);
}

/* Reads a file, or the first `most` bytes of it. */
static int read_bytes(Package *p, const char *path, size_t most, Slice *bytes, Err *e)
{
    size_t size;
    const int fd = file_open_regular(path, &size, e);
    if (fd < 0) return -1;
    if (size > most) size = most;
    char *data = region_take(&p->memory, size, 1);
    const ssize_t got = file_read_at(fd, 0, data, size);
    file_close(fd);
    *bytes = (Slice){ data, got < 0 ? 0 : (size_t)got };
    return got < 0 ? err(e, "%s: cannot be read", path) : 0;
}

static int add_file(Package *p, const char *path, int is_named, Err *e)
{
    Slice bytes;
    if (read_bytes(p, path, START_BYTES, &bytes, e)) return -1;
    const FileKind kind = kind_of_start(bytes);
    if (is_named && kind == FILE_OTHER)
        return err(e, "%s: is no file of a model that attn knows: Marian's .npz or .bin, "
                      "model.safetensors, CTranslate2's model.bin, .spm, .yml, .json, .argosmodel",
                   path);
    if (!is_named && !is_wanted(kind, path)) return 0;
    if (kind == FILE_SAFETENSORS || kind == FILE_PICKLE || kind == FILE_PACKED
        || kind == FILE_SHORTLIST)
        return add(p, kind, path, (Slice){ "", 0 }, is_named, e);
    if (read_bytes(p, path, SIZE_MAX, &bytes, e)) return -1;
    return package_add(p, path, bytes, is_named, e);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int add_folder(Package *p, const char *path, Err *e)
{
    struct dirent **entry;
    const int count = scandir(path, &entry, is_visible, alphasort);
    int failed = count < 0 ? err(e, "%s: the folder cannot be read", path) : 0;
    for (int i = 0; i < count; i++) {
        SCOPED(buf_free) Buf name = { 0 };
        struct stat status;
        buf_printf(&name, "%s/%s", path, entry[i]->d_name);
        if (!failed && !stat(name.text, &status) && S_ISREG(status.st_mode))
            failed = add_file(p, name.text, 0, e);
        free(entry[i]);
    }
    if (count >= 0) free(entry);
    return failed;
}

int package_open(Package *package, const char *const *paths, int count, Err *e)
{
    for (int i = 0; i < count; i++) {
        struct stat status;
        const int is_folder = !stat(paths[i], &status) && S_ISDIR(status.st_mode);
        if (is_folder ? add_folder(package, paths[i], e) : add_file(package, paths[i], 1, e))
            return -1;
    }
    return 0;
}

void package_free(Package *package)
{
    for (size_t i = 0; i < package->count; i++) {
        json_free(package->file[i].json);
        yamlmap_free(&package->file[i].yaml);
    }
    xfree(package->file);
    region_free(&package->memory);
    *package = (Package){ 0 };
}

/* ---- Finding files ---- */

static const PackageFile *find_kind(const Package *p, FileKind kind)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->file[i].kind == kind) return &p->file[i];
    return NULL;
}

static int refuse_none(const Package *p, Err *e)
{
    const PackageFile *pickle = find_kind(p, FILE_PICKLE), *packed = find_kind(p, FILE_PACKED);
    if (pickle)
        return err(e, "%s: is a pickle of PyTorch, which is a program, and not read; make a file "
                      "of safetensors from it: python3 -c \"from transformers import MarianMTModel "
                      "as M; M.from_pretrained('FOLDER').save_pretrained('FOLDER', "
                      "safe_serialization=True)\"", pickle->path);
    if (packed)
        return err(e, "%s: is packed; unpack it with gzip -d, tar -x, zstd -d or the like, and "
                      "name what is in it", packed->path);
    return err(e, "no network is among %s: a Marian .npz or .bin, a model.safetensors or a "
                  "CTranslate2 model.bin", p->count ? "these files" : "no files");
}

const PackageFile *package_network(const Package *package, Err *e)
{
    const PackageFile *network = NULL;
    for (size_t i = 0; i < package->count; i++) {
        const PackageFile *file = &package->file[i];
        if (file->kind < FILE_NPZ || file->kind > FILE_SAFETENSORS) continue;
        if (network) {
            err(e, "%s and %s are two networks; name one of them, and its vocabularies",
                network->path, file->path);
            return NULL;
        }
        network = file;
    }
    if (!network) refuse_none(package, e);
    return network;
}

const cJSON *package_json(const Package *package, const char *name)
{
    for (size_t i = 0; i < package->count; i++)
        if (!strcmp(package->file[i].name, name)) return package->file[i].json;
    return NULL;
}

const PackageFile *package_side(const Package *package, FileKind kind, int is_target)
{
    const PackageFile *found = NULL;
    for (size_t i = 0; i < package->count; i++) {
        const PackageFile *file = &package->file[i];
        if (file->kind != kind) continue;
        if (!found || (is_target && (file->is_target || !found->is_target))
            || (!is_target && found->is_target && !file->is_target))
            found = file;
    }
    return found;
}
