/* yaml.h - Marian's options and vocabularies, in YAML: one mapping of scalars, and of lists of
 * scalars. libyaml takes the text apart.
 *
 * What is deeper in a mapping of the mapping is skipped. Aliases are refused, and so is what is
 * nested deeper than any of Marian's files: so no file can grow in memory, or take libyaml long.
 * Names that begin with yaml_ are libyaml's own.
 */
#ifndef ATTN_IMPORT_YAML_H
#define ATTN_IMPORT_YAML_H

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

typedef struct {
    Slice key, value;           /* each with a NUL behind it */
    int   item;                 /* in a list: its number, from 0; else -1 */
} YamlEntry;

/* Zero-initialise; yamlmap_free releases. */
typedef struct {
    YamlEntry *entry;           /* (count) in the order of the file */
    size_t     count, capacity;
    Region     text;
} YamlMap;

/* yamlmap_read - -1 with a message that names the line.
 * yamlmap_text - the scalar of that key, or NULL. */
int         yamlmap_read(YamlMap *yaml, Slice file, Err *e);
const char *yamlmap_text(const YamlMap *yaml, const char *key);
void        yamlmap_free(YamlMap *yaml);

#endif
