/* quantities.h - numbers with their units of measure: 12.5 kg, 4 m x 5 m, 120 km/h, 2 h 15 min, 20 °C. */
#ifndef ATTN_TEXT_PREPARE_QUANTITIES_H
#define ATTN_TEXT_PREPARE_QUANTITIES_H

#include "text/prepare/line_words.h"

/* quantity_end - behind the size, the rate, the duration, the millions of money or the dollars (5 US$) that begin
 * at word i of a line, which have more than a number and a unit; i: none do. */
size_t quantity_end(const LineWords *line, size_t i);

/* quantity_is_unit - whether word i, behind a number, is copied with it: the sign of a unit that is the same
 * in all languages (not h, which a time of day has), that of a currency, or consonants that are seldom
 * seen, which are likely one (5 lbs).
 * quantity_is_scale - whether words i and i + 1 are a scale of temperature: °C. */
int quantity_is_unit(const LineWords *line, size_t i);
int quantity_is_scale(const LineWords *line, size_t i);

/* quantity_has_sign - whether the sign of a currency that a number is written on to begins at word i ($5, US$5), of
 * an amount in full; not of a factor: €1.5 million.
 * quantity_joins_sign - whether words i and i + 1 are the sign of a currency and a number, in either order.
 * quantity_is_money - whether words [i, end) are such an amount in full.
 * quantity_reads_as_number - whether the network reads that as a number; not millions, nor where a number would
 * be an age: "He has $5." was "Il a 5 $ ans." */
int quantity_has_sign(const Words *words, size_t i);
int quantity_joins_sign(const Words *words, size_t i);
int quantity_is_money(const LineWords *line, size_t i, size_t end);
int quantity_reads_as_number(const LineWords *line, size_t i, size_t end);

/* quantity_counts - whether words [i, end), which are copied together, are an amount, whose digits the
 * translation writes in its own way (text/locale/numbers.h): a number, perhaps with units. Phone numbers are
 * none, nor are numbers that tell one thing from others: Python 3.5, version 2.0, 1.1 Introduction. */
int quantity_counts(LineWords *line, size_t i, size_t end);

#endif
