/* units.c - see units.h. */
#include "text/prepare/units.h"

#include "text/word_list.h"

int unit_is_copied(PlainWord word)
{
    static const char *const units[] = {
        "km", "m", "cm", "mm", "ft", "kg", "g", "mg", "l", "L", "ml", "mL", "cl", "dl", "min", "mins",
        "mn", "s", "sec", "secs", "kW", "kWh", "kB", "MB", "GB", "TB", "kbit", "Mbit", "Gbit", NULL
    };
    return word_list_has(units, word.text, word.text + word.length);
}

int unit_is(PlainWord word)
{
    static const char *const others[] = { "h", "t", "W", NULL };
    return unit_is_copied(word) || word_list_has(others, word.text, word.text + word.length);
}
