/* entities.h - characters that HTML writes by their names or numbers: &nbsp; &eacute; &#39; &#x20AC; */
#ifndef ATTN_TEXT_MARKUP_ENTITIES_H
#define ATTN_TEXT_MARKUP_ENTITIES_H

/* entities_decode - a line of valid UTF-8 with these characters themselves, which the caller frees. &lt; and
 * &gt;, which would begin and end a tag, stay, as an &amp; does that would begin the name of another. */
char *entities_decode(const char *line);

#endif
