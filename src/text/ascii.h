/* ascii.h - the classes of ASCII characters, whatever the locale. */
#ifndef ATTN_TEXT_ASCII_H
#define ATTN_TEXT_ASCII_H

static inline int ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline int ascii_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline int ascii_is_letter(char c)
{
    return ascii_is_lower((char)(c | 0x20));
}

static inline char ascii_lower(char c)
{
    return ascii_is_upper(c) ? (char)(c | 0x20) : c;
}

static inline int ascii_is_alphanumeric(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline int ascii_is_hex(char c)
{
    char lower = (char)(c | 0x20);
    return ascii_is_digit(c) || (lower >= 'a' && lower <= 'f');
}

#endif
