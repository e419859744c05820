/* vocabulary.h - the tokens of a foreign network: which id each has there, and here.
 *
 * A file of one is a mapping of tokens to ids in YAML or JSON, an array of tokens in JSON, a line
 * for each token, or a SentencePiece model. attn's ids begin with the four special tokens
 * (text/tokenizer/tokenizer.h), and the others follow in their order there.
 */
#ifndef ATTN_IMPORT_VOCABULARY_H
#define ATTN_IMPORT_VOCABULARY_H

#include "import/mapping.h"
#include "import/package.h"
#include "text/tokenizer/tokenizer.h"

typedef struct { const char *text; int id; } Token;

typedef struct {
    const PackageFile *file;            /* that it was read from */
    Token   *token;                     /* (count) by their ids, each with another */
    size_t   count, capacity;
    Region   memory;
    int      special[ID_SPECIALS];      /* the foreign ids of attn's four; -1: there is none */
    /* for the network, in the order of attn's ids; vocabularies_tokenizers sets them */
    const char **piece;                 /* (rows.count - ID_SPECIALS) texts behind the four */
    VocabularyRows rows;
} Vocabulary;

/* vocabulary_is - whether a text of YAML or JSON is a vocabulary: it has </s> or eos, or is an
 *   array of texts.
 * vocabulary_name - another name of a special token, vocabulary_start - the token that a decoder
 *   begins with; or NULL. What no token has changes nothing. */
int  vocabulary_is(const PackageFile *file);
void vocabulary_name(Vocabulary *v, int special, const char *text);
void vocabulary_start(Vocabulary *v, const char *text);

/* ---- Both sides, as the tokenizers of a model ---- */

typedef struct {
    Vocabulary  own[2];
    Vocabulary *side[2];                /* [side] the same where one file has the tokens of both */
    int         is_shared;
    int         preparation;            /* PREPARATION_... of a line, before SentencePiece has it */
} Vocabularies;

/* vocabularies_read - finds and reads the vocabularies of a package: files of their own, else its
 *   SentencePiece models; -1 with a message where there is none, or one has no </s>, or two tokens
 *   have one id.
 * vocabularies_tokenizers - orders them for matrices with so many rows, and makes the tokenizers of
 *   the model by its text options: with the package's SentencePiece models where it has some,
 *   otherwise of characters if all tokens are, or of tokens between blanks. */
int  vocabularies_read(Vocabularies *v, const Package *package, Err *e);
int  vocabularies_tokenizers(Vocabularies *v, const size_t rows[2], const Package *package,
                             Model *model, Err *e);
void vocabularies_free(Vocabularies *v);

#endif
