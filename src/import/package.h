/* package.h - the files that make up a foreign model: those that a user names, all of a folder, or
 * the members of a zip archive.
 *
 * What a file is follows from its content, whatever its name. Names say only which of two equal
 * kinds is the target's, and what the JSON files of one format are, which have fixed names.
 */
#ifndef ATTN_IMPORT_PACKAGE_H
#define ATTN_IMPORT_PACKAGE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "import/yaml.h"

typedef enum {
    FILE_OTHER,
    FILE_NPZ, FILE_MARIAN_BIN, FILE_CTRANSLATE2, FILE_SAFETENSORS,      /* networks */
    FILE_SENTENCEPIECE, FILE_VOCABULARY, FILE_YAML, FILE_JSON,          /* what belongs to them */
    FILE_ZIP, FILE_SHORTLIST, FILE_PICKLE, FILE_PACKED,
    FILE_KINDS
} FileKind;

typedef struct {
    FileKind kind;
    const char *path;           /* for messages; of a member the archive's, and its own */
    const char *name;           /* the last part of it */
    Slice    bytes;             /* all of it; none of a kind that is read from its path */
    int      is_target;         /* its name says that it is the target's */
    cJSON   *json;              /* what is in it, or NULL */
    YamlMap  yaml;
} PackageFile;

/* Zero-initialise; package_free releases. */
typedef struct {
    PackageFile *file;          /* (count) */
    size_t       count, capacity;
    Region       memory;        /* of paths and bytes */
} Package;

/* package_open - reads what these paths have; -1 with a message. A file that is nothing of a model
 * is refused where a user named it, and left out where a folder has it. */
int  package_open(Package *package, const char *const *paths, int count, Err *e);

/* package_add - adds a file whose bytes are in memory, and outlive the package: what it is, or what
 * an archive has. A text that looks like JSON or YAML, and is none, is refused where a user named
 * it, or its name says what it should be; else it is left out. */
int  package_add(Package *package, const char *path, Slice bytes, int is_named, Err *e);
void package_free(Package *package);

/* package_network - the one network; NULL with a message for none and for several.
 * package_json - what the JSON file of this name has, or NULL.
 * package_side - the file of a kind that is the source's or the target's: by its name, else the
 * first or the last one; or NULL. */
const PackageFile *package_network(const Package *package, Err *e);
const cJSON *package_json(const Package *package, const char *name);
const PackageFile *package_side(const Package *package, FileKind kind, int is_target);

#endif
