/* word_end.h - where a word ends: the rules of words_split, for English, French and other
 * languages.
 *
 *   letters      run together with the marks and joiners on them. A hyphen between letters stays
 *                inside (peut-être, a-t-il, well-known), so that subwords decide: frequent forms
 *                become one token, others are cut, often at the hyphen. So do a middle dot, geresh
 *                and gershayim (col·legi, צה״ל).
 *   apostrophes  (' and U+2019) open an English contraction (don 't, I 'll), or close an elision
 *                (l' homme, qu' il). They stay inside aujourd'hui, o'clock, ma'am, and between
 *                letters that are not Latin (п'ять).
 *   numbers      digits with . , : or the French h between them: 1,000.50  12:30  9h30.
 *   ideographs   are words by themselves.
 *   a dot        belongs to the abbreviation it ends: U.S.A.  p.m.  p.ex., to an initial before a
 *                name (M. Dupont, John F. Kennedy; not I, a pronoun), and to Mr. Dr. St. etc. and
 *                the like. The word is the same everywhere, so a sentence may end in it without a
 *                full stop of its own.
 *   addresses    of the web and of mail are one word (text/verbatim/address.h).
 *   the rest     is one grapheme cluster a word (Unicode Annex 29: flags, skin tones, joined emoji,
 *                keycaps), or a run of the same one ("...", "--").
 */
#ifndef ATTN_TEXT_WORD_END_H
#define ATTN_TEXT_WORD_END_H

/* word_end - the end of the word that starts at `at`, at most `end`; the text between is valid
 * UTF-8. No word holds a blank: at a blank, and only there, the result is `at` itself. */
const char *word_end(const char *at, const char *end);

#endif
