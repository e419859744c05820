/* field.h - a struct described by a table: one row a field, from which everything else derives.
 *
 * The same table parses the command line, prints the help with live defaults, checks ranges, and
 * writes and reads JSON (configuration files, model metadata). No other place lists a field.
 *
 *     typedef struct { int hidden; double dropout; } Shape;
 *     static const Field fields[] = {
 *         { .group = "Network", .name = "hidden", .kind = FIELD_INT,
 *           .offset = offsetof(Shape, hidden), .low = 1, .high = 65536, .value = "N",
 *           .help = "width of a GRU state" },
 *         { .name = NULL }
 *     };
 */
#ifndef ATTN_BASE_FIELD_H
#define ATTN_BASE_FIELD_H

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#include <limits.h>
#include <stddef.h>

typedef enum {
    FIELD_INT,          /* int */
    FIELD_PAIR,         /* int[2]; text 2,4; a JSON array */
    FIELD_SEED,         /* uint64_t, at most 10^15 */
    FIELD_REAL,         /* double */
    FIELD_TIME,         /* double, seconds; text is 90, 90s, 6m, 1.5h, 2d; JSON is a number */
    FIELD_FLAG,         /* int, 0 or 1; --name, --no-name; text on, off; JSON true, false */
    FIELD_CHOICE,       /* int, an index into `choices`; JSON is the word */
    FIELD_TEXT,         /* const char *, not owned; NULL: not given (JSON null) */
    FIELD_TEXTS,        /* TextList: each use of the option adds one; a JSON array replaces all */
    FIELD_WORD          /* char[FIELD_WORD_BYTES]: a short text, owned; "": not given (JSON null) */
} FieldKind;

enum { FIELD_WORD_BYTES = 36 };         /* with the NUL */

enum { TEXT_LIST_MOST = 64 };
typedef struct {
    const char *text[TEXT_LIST_MOST];       /* not owned */
    int         count;
    int         is_default;                 /* 1: the first one given replaces all */
} TextList;

typedef struct {
    const char *group;            /* heading in the help; NULL: same as the row before */
    const char *name;             /* long option without dashes, key in JSON; NULL ends the table */
    char        letter;           /* short option, or 0 */
    const char *alias;            /* another long option for it, or NULL; no key in JSON */
    FieldKind   kind;
    size_t      offset;           /* of the value in its struct */
    double      low, high;        /* range of numbers, both included; unused for other kinds */
    int         automatic;        /* numbers, flags, choices: the word "auto" is a value too */
    const char *const *choices;   /* FIELD_CHOICE: NULL-terminated words. FIELD_TEXT: the option may
                                     lack a value, which is "-" then: an argument that ends in one
                                     of these is a value */
    const char *value;            /* name of the value in the help: N, FILE, TIME */
    const char *help;             /* one line, lower case, no full stop, without the default */
    int         common;           /* 1: one of the few that the short help shows */
} Field;

/* field_set - parses text into the field of *object; -1 with a message that names the option, what
 * was found and what is accepted ("--hidden: 'ten' is not a whole number from 1 to 65536"). A
 * FIELD_TEXT keeps the pointer. */
int field_set(const Field *field, void *object, const char *text, Err *e);

/* field_accepts - appends what field_set accepts, or fields_from_json: "a whole number from 1 to 100,
 * or auto". */
void field_accepts(const Field *field, int in_json, Buf *out);

/* field_print - appends the value as field_set would read it ("256", "6m" as "360", "deep"). */
void field_print(const Field *field, const void *object, Buf *out);

/* A row may hold "auto": FIELD_AUTO in an int, a flag, a choice or the first of a pair. It is settled
 * before use.
 *
 * fields_automate  - sets all automatic rows to "auto".
 * fields_settle    - replaces each "auto" by the value in `values`, another object of the table.
 * fields_unsettled - the first row that still holds "auto", or NULL. */
enum { FIELD_AUTO = INT_MIN };
void         fields_automate(const Field *fields, void *object);
void         fields_settle(const Field *fields, void *object, const void *values);
const Field *fields_unsettled(const Field *fields, const void *object);

/* fields_find - the row of that name (length bytes of it), or NULL. */
const Field *fields_find(const Field *fields, const char *name, size_t length);

/* fields_difference - the first row in which two objects of the table differ, whose texts *one and
 * *other become (field_print); or NULL. The caller owns both. */
const Field *fields_difference(const Field *fields, const void *a, const void *b, Buf *one,
                               Buf *other);

/* fields_to_json - a new JSON object of all rows; the caller owns it. */
cJSON *fields_to_json(const Field *fields, const void *object);

/* fields_from_json - sets the rows that the JSON object names. A key that no row has, a wrong type
 * or range: -1. FIELD_TEXT values point into `json`, which must outlive the object. */
int fields_from_json(const Field *fields, void *object, const cJSON *json, Err *e);

#endif
