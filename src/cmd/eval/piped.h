/* piped.h - what is on standard input although no argument names it: a translation to be scored, as
 * in `attn eval REFERENCE < TRANSLATION`, or something that belongs to another program.
 *
 * What a pipe brings is there early or late, depending on its writer, and many a pipe is open and
 * brings nothing: one cannot wait for it. So a model translates meanwhile, and what has come by then
 * is as if it had been there before.
 */
#ifndef ATTN_CMD_EVAL_PIPED_H
#define ATTN_CMD_EVAL_PIPED_H

typedef enum {
    PIPED_NOTHING,      /* a terminal, a device, the end of a pipe, none at all; also a file that
                           somebody has read from: the lines behind the first of a loop's `while
                           read` are the loop's */
    PIPED_SILENT,       /* a pipe or a socket that is open, and has brought nothing so far */
    PIPED_LINES         /* one that has, also what a loop leaves of a pipe; a file, as `< FILE` */
} Piped;

/* piped_input - what there is now; reads nothing and never waits. */
Piped piped_input(void);

/* piped_since - after a translation: whether lines have come. Warns of a pipe that is still silent.
 * PIPED_AGAIN - what a command then returns in place of an exit status: its request means something
 * else now. */
int piped_since(void);
enum { PIPED_AGAIN = -1 };

#endif
