/* json_member.h - a line of a file of messages that has a name and a text: of JSON (RFC 8259, section 4), or of the
 * strings of an application (Apple).
 *
 *     "save": "Save the file",        "save" = "Save the file";
 */
#ifndef ATTN_TEXT_MARKUP_JSON_MEMBER_H
#define ATTN_TEXT_MARKUP_JSON_MEMBER_H

#include "base/buf.h"

typedef enum {
    JSON_NO_MEMBER,             /* the line is none, or not one alone */
    JSON_TEXT,                  /* its value is a string that is not empty */
    JSON_OTHER                  /* its value is another: "count": 3, or it is a whole object */
} JsonMemberKind;

/* What is in the string is line[begin .. end). */
typedef struct { JsonMemberKind kind; size_t begin, end; } JsonMember;

JsonMember json_member_of(const char *line);

/* json_string_decode - what is in a string, without escapes; the caller frees it. A quote or a NUL follows the text.
 * NULL: it is not sound.
 * json_string_add - appends a text as it is in a string. */
char *json_string_decode(const char *text, size_t length);
void  json_string_add(const char *text, Buf *out);

#endif
