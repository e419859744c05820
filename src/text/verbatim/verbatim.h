/* verbatim.h - text that no translation may alter: numbers, addresses, paths, code, placeholders,
 * emoji and the like, recognised by rule wherever a word may start.
 *
 *   numbers     with their separators (1,000.50  12:30  9h30  1/2  -4  +33  192.168.0.1  10-20
 *               2026-11-22  6'2"). What is written on to them is translated: the sign of a currency, %,
 *               units and endings in small letters (5kg, 21st, 2e, 1990s, 10am).
 *   addresses   web, mail (address.h), hosts (example.com, github.com/a/b)
 *   files       paths (/usr/bin  ./a/b.txt  ~/x  C:\x\y  a/b/c.c; not and/or, km/h), names with an
 *               ending that is known (report.pdf)
 *   code        foo_bar()  fooBar  std::string  obj.method()  x->y  a=5  C++  --option  ENV_VAR
 *               $HOME  `code`
 *   placeholders %s  %1$s  %(name)s  {name}  {{0}}  ${x}  <br/>  &nbsp;  :smile:
 *   handles     @name  #topic
 *   codes       of letters and digits: A4  ISO9001  XJ-900  v1.2.3  2.0-rc1  #ff00aa  UUIDs
 *   symbols     emoji, a run of them as one; emoticons; arrows, stars, hearts, © and others, but
 *               not signs of currencies and °, which translations move and write out
 *
 * A span holds no blank: of a number whose groups are parted by blanks, each group is one. The
 * punctuation of the sentence around it is no part of a span.
 */
#ifndef ATTN_TEXT_VERBATIM_VERBATIM_H
#define ATTN_TEXT_VERBATIM_VERBATIM_H

typedef enum { VERBATIM_NONE, VERBATIM_NUMBER, VERBATIM_OTHER } VerbatimKind;

/* The longest address of the web, and the longest other span, in bytes: what is longer is cut. */
enum { VERBATIM_BYTES = 2048, SPAN_BYTES = 512 };

/* verbatim_end - the end of the span that starts at `at` < `end`, or NULL if none does; *kind:
 * which one. line: the start of the text, valid UTF-8 up to `end`; only the character before `at`
 * and what follows decides. */
const char *verbatim_end(const char *line, const char *at, const char *end, VerbatimKind *kind);

#endif
