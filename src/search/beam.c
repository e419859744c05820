/* beam.c - rows and finished hypotheses. */
#include "search/beam.h"

#include "text/tokenizer/tokenizer.h"

void beam_layout(Beam *b, Arena *arena, int sentences, int width)
{
    const size_t places = (size_t)sentences * (size_t)width;
    b->width = width;
    b->row = arena_take(arena, places, sizeof *b->row);
    b->next = arena_take(arena, places, sizeof *b->next);
    b->finished = arena_take(arena, places, sizeof *b->finished);
    b->finished_count = arena_ints(arena, (size_t)sentences);
}

void beam_begin(Beam *b, int sentences, int places)
{
    b->rows = b->next_rows = 0;
    for (int i = 0; i < sentences; i++) {
        b->finished_count[i] = 0;
        for (int place = 0; place < places; place++)
            b->row[b->rows++] = (Row){ .sentence = i, .place = place, .node = -1, .from = i };
    }
}

void beam_extend(Beam *b, const Candidate *c, int node)
{
    Row *row = &b->next[b->next_rows++];
    *row = b->row[c->row];
    row->node = node;
    row->from = c->row;
    row->written.unknowns += c->id == ID_UNK;
    row->written.copies |= placeholder_bit(c->id);
    row->log_probability = c->log_probability;
}

void beam_finish(Beam *b, int sentence, Finished f)
{
    Finished *list = b->finished + (size_t)sentence * (size_t)b->width;
    int at = b->finished_count[sentence]++;
    for (; at > 0 && f.score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = f;
}

const Finished *beam_best(const Beam *b, int sentence, int k)
{
    return &b->finished[(size_t)sentence * (size_t)b->width + (size_t)k];
}

void beam_advance(Beam *b)
{
    Row *old = b->row;
    b->row = b->next;
    b->rows = b->next_rows;
    b->next = old;
    b->next_rows = 0;
}
