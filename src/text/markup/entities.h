/* entities.h - characters that HTML writes by their names or numbers: &nbsp; &eacute; &#39; &#x20AC; */
#ifndef ATTN_TEXT_MARKUP_ENTITIES_H
#define ATTN_TEXT_MARKUP_ENTITIES_H

/* entities_decode - a line of valid UTF-8 with these characters themselves, which the caller frees. They stay
 * inside elements, comments, code and addresses, and where they are all that a cell has. So do &lt; and &gt;
 * without blanks around them, which would begin and end a tag, an &amp; that would begin the name of another,
 * and numbers of marks in ASCII but quotes, which might mean something (&#42;). */
char *entities_decode(const char *line);

#endif
