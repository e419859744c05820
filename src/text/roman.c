/* roman.c - adds the letters up, and compares with how the sum is written. */
#include "text/roman.h"

#include <string.h>

static const struct { char letters[3]; int value; } parts[] = {
    { "M", 1000 }, { "CM", 900 }, { "D", 500 }, { "CD", 400 }, { "C", 100 }, { "XC", 90 },
    { "L", 50 }, { "XL", 40 }, { "X", 10 }, { "IX", 9 }, { "V", 5 }, { "IV", 4 }, { "I", 1 }
};
enum { PARTS = sizeof parts / sizeof *parts, LONGEST = sizeof "MMMDCCCLXXXVIII" };

static int begins_with(const char *text, size_t length, const char *letters)
{
    const size_t count = strlen(letters);
    return length >= count && !memcmp(text, letters, count);
}

/* What the letters add up to, from the greatest to the least; what follows other letters is left out. */
static int read_number(const char *text, size_t length)
{
    int number = 0;
    for (int k = 0; k < PARTS; k++) {
        const size_t count = strlen(parts[k].letters);
        for (; begins_with(text, length, parts[k].letters); text += count, length -= count)
            number += parts[k].value;
    }
    return number;
}

static void write_number(int number, char *out)
{
    *out = '\0';
    for (int k = 0; k < PARTS; k++)
        for (; number >= parts[k].value; number -= parts[k].value)
            strcat(out, parts[k].letters);
}

int roman_number(const char *text, size_t length)
{
    enum { MOST = 3999 };
    char usual[LONGEST];
    if (length >= LONGEST) return 0;
    const int number = read_number(text, length);
    if (number > MOST) return 0;
    write_number(number, usual);
    return strlen(usual) == length && !memcmp(usual, text, length) ? number : 0;
}
