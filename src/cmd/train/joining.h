/* joining.h - one voice: while the processes of one training read the same command line, and end
 * where it is wrong, only the first that the launcher has started is heard. They need not know each
 * other (train/update/processes.h).
 */
#ifndef ATTN_CMD_TRAIN_JOINING_H
#define ATTN_CMD_TRAIN_JOINING_H

/* joining_is_first - whether this process is the first, or alone. */
int joining_is_first(void);

/* What stderr was; -1: it is as it was. */
typedef struct { int error; } Silence;

/* joining_silence - in further processes: nothing is printed until joining_speak, and nothing on
 * stdout ever. If such a process ends before that, it gives the first a second to print why: the
 * end of one process ends all.
 * joining_wait - gives it that second. */
Silence joining_silence(void);
void    joining_speak(Silence silence);
void    joining_wait(void);

#endif
