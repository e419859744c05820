/* clauses.h - where a clause of a sentence begins: conjunctions of English, French, German, Spanish
 * and Italian. */
#ifndef ATTN_TEXT_SENTENCES_CLAUSES_H
#define ATTN_TEXT_SENTENCES_CLAUSES_H

/* clause_begins - whether the word at `at` begins a clause. Behind a comma that is any conjunction;
 * elsewhere only one that joins no words (because, parce que), or one before the subject of a verb
 * (and I, et il), so that "bread and butter" stays together. Not the words of a relative or an
 * indirect clause (who, that, if), which mean something else by themselves. */
int clause_begins(const char *at, const char *end, int behind_comma);

/* subject_begins - whether a subject may begin at `at`: a pronoun such as he or il, or a capital. */
int subject_begins(const char *at, const char *end);

#endif
