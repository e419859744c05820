/* address.h - web and mail addresses in running text, which stay one word. */
#ifndef ATTN_TEXT_VERBATIM_ADDRESS_H
#define ATTN_TEXT_VERBATIM_ADDRESS_H

/* address_end - the end of the address that starts at `at` (valid UTF-8 up to `end`), or NULL if
 * there is none.
 *
 * Web: http://, https://, ftp:// or www. and all up to a blank or a character that no address
 * holds. Punctuation at its end belongs to the sentence (. , ! ? ; : ' "), and so does a closing
 * bracket that was not opened in the address (GitHub Flavored Markdown 0.29, section 6.9,
 * "Autolinks"). Mail: NAME@HOST.TLD in ASCII letters, digits and . _ % + -
 */
const char *address_end(const char *at, const char *end);

/* address_web_end - the same for one of the web. */
const char *address_web_end(const char *at, const char *end);

/* address_host_end - the same for a host without a scheme: with a common top-level domain
 * (example.com), or any that a path or a port follows (bit.ly/a, db.local:5432). */
const char *address_host_end(const char *at, const char *end);

#endif
