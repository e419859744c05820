/* signals.h - what signals do to a command, a training run and a conversation.
 *
 * One that is ignored when the program starts stays ignored. Any command:
 *
 *     signals that end a process    remove its temporary files first (base/files/replace.h)
 *
 * A training run:
 *
 *     SIGUSR1             save the state and continue
 *     SIGINT, SIGTERM     save and stop; a second SIGINT ends the program at once
 *     SIGUSR2             the same; batch systems send it before the time is over
 *     SIGHUP, SIGXCPU     save and stop; further ones change nothing (a closing terminal sends
 *                         several, a limit of CPU time one a second)
 *     SIGPIPE             ignored: training continues when the reader of its messages has gone
 *
 * A conversation:
 *
 *     SIGINT              give up the line, and read the next one
 */
#ifndef ATTN_CMD_SIGNALS_H
#define ATTN_CMD_SIGNALS_H

#include "train/training.h"

/* signals_setup - handles signals as for any command; main calls it once. */
void signals_setup(void);

/* signals_prepare - before a training run has a state to save: SIGUSR1 is remembered, the others
 * end the program at once. */
void signals_prepare(void);

/* signals_requests - from now on signals become requests, as above; requests.stop is the number
 * of the signal. The pointer is valid for the life of the program. */
Requests *signals_requests(void);

/* signals_interrupts - from now on SIGINT sets this to its number; the reader sets it to 0. The
 * pointer is valid for the life of the program. */
atomic_int *signals_interrupts(void);

#endif
