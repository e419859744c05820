/* yaml.c - the entries of a mapping, from libyaml's events. */
#define _GNU_SOURCE      /* memmem */
#include "import/yaml.h"

#include <yaml.h>

enum { DEEPEST = 32 };

/* Where in the file the last event was. */
typedef struct {
    int   depth;                /* open mappings and lists; the keys are in the first */
    Slice key;                  /* whose value follows; no text: a key follows */
    int   item;                 /* the next of a list; -1: in a mapping of the mapping */
} Place;

static Slice keep(YamlMap *yaml, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    return (Slice){ region_strndup(&yaml->text, text, length), length };
}

/* A key without a value has no entry. */
static const char *take_scalar(YamlMap *yaml, Place *p, const yaml_event_t *event)
{
    const int is_key = p->depth == 1 && !p->key.text;
    const int is_empty = !event->data.scalar.length
                         && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (!p->depth) return "no \": \" behind a key";
    if (memchr(event->data.scalar.value, '\0', event->data.scalar.length)) return "a NUL byte";
    if (is_key) p->key = keep(yaml, event);
    else if (!is_empty && (p->depth == 1 || (p->depth == 2 && p->item >= 0))) {
        yaml->entry = grow(yaml->entry, &yaml->capacity, yaml->count + 1, sizeof *yaml->entry);
        yaml->entry[yaml->count++] = (YamlEntry){ p->key, keep(yaml, event),
                                                  p->depth == 1 ? -1 : p->item++ };
    }
    if (!is_key && p->depth == 1) p->key.text = NULL;
    return NULL;
}

/* Returns what is wrong, or NULL. */
static const char *take_event(YamlMap *yaml, Place *p, const yaml_event_t *event)
{
    const int is_list = event->type == YAML_SEQUENCE_START_EVENT;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return "an alias, which is not read";
    case YAML_SCALAR_EVENT:
        return take_scalar(yaml, p, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        if (p->depth ? !p->key.text : is_list) return "it is no mapping of keys that are texts";
        if (p->depth == 2 && p->item >= 0) return "a list of other lists or mappings is not read";
        if (p->depth == DEEPEST) return "mappings or lists are nested too deeply";
        if (++p->depth == 2) p->item = is_list ? 0 : -1;
        return NULL;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        if (--p->depth == 1) p->key.text = NULL;
        return NULL;
    default:
        return NULL;
    }
}

static int read_events(yaml_parser_t *parser, YamlMap *yaml, Err *e)
{
    Place place = { .item = -1 };
    for (int is_end = 0; !is_end;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            if (parser->error == YAML_MEMORY_ERROR) die("out of memory");
            const yaml_mark_t at = parser->error == YAML_READER_ERROR ? parser->mark
                                                                      : parser->problem_mark;
            return err(e, "line %zu: %s", at.line + 1, parser->problem);
        }
        const char *problem = take_event(yaml, &place, &event);
        const size_t line = event.start_mark.line + 1;
        is_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (problem) return err(e, "line %zu: %s", line, problem);
    }
    return 0;
}

/* libyaml ends lines at these too, Marian's programs do not. */
static int has_other_breaks(Slice file)
{
    static const char *const breaks[] = { "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9" };
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
        if (memmem(file.text, file.length, breaks[i], strlen(breaks[i]))) return 1;
    return 0;
}

int yamlmap_read(YamlMap *yaml, Slice file, Err *e)
{
    yaml_parser_t parser;
    if (has_other_breaks(file))
        return err(e, "it has one of the line ends U+0085, U+2028 and U+2029, which are not read; "
                      "write \"\\u2028\" and the like");
    if (!yaml_parser_initialize(&parser)) die("out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)file.text, file.length);
    const int failed = read_events(&parser, yaml, e);
    yaml_parser_delete(&parser);
    return failed;
}

const char *yamlmap_text(const YamlMap *yaml, const char *key)
{
    for (size_t i = 0; i < yaml->count; i++)
        if (yaml->entry[i].item < 0 && !strcmp(yaml->entry[i].key.text, key))
            return yaml->entry[i].value.text;
    return NULL;
}

void yamlmap_free(YamlMap *yaml)
{
    xfree(yaml->entry);
    region_free(&yaml->text);
    *yaml = (YamlMap){ 0 };
}
