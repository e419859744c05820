/* signals.h - what signals ask of a command, of a training run, and of a conversation.
 *
 * Any command:
 *
 *     what ends a process     ends it, but its strays go first (base/stray.h); what is ignored stays ignored
 *
 * A training:
 *
 *     SIGUSR1             save the state and go on
 *     SIGINT, SIGTERM     save and stop; a second one ends the program at once, as if it were not caught
 *     SIGHUP              save and stop, however often it comes (a closing terminal sends several); ignored under nohup
 *     SIGPIPE             ignored: training goes on when who reads the messages has gone
 *
 * A conversation:
 *
 *     SIGINT              give up the line, and go on with the next
 */
#ifndef ATTN_CMD_SIGNALS_H
#define ATTN_CMD_SIGNALS_H

#include "train/training.h"

/* signals_setup - once, before all else. */
void signals_setup(void);

/* signals_prepare - before there is a state to save: SIGUSR1 waits for one, the others end the program at once. */
void signals_prepare(void);

/* signals_requests - from now on as above; requests.stop is the number of the signal. Valid for ever. */
Requests *signals_requests(void);

/* signals_interrupts - from now on SIGINT sets this to its number, where it is not ignored; who reads it sets it to 0.
 * Valid for ever. */
atomic_int *signals_interrupts(void);

#endif
