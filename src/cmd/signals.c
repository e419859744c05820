/* signals.c - handlers turn signals into requests. A handler reaches only global variables, and
 * may call next to nothing. */
#include "cmd/signals.h"

#include "base/files/replace.h"
#include "base/system/environment.h"

#include <signal.h>

/* timeout(1) sends a signal to the process and then to its group: a SIGINT so soon after the first
 * repeats it. */
static const long long echo_nanoseconds = 200000000;

static Requests requests;
static atomic_int can_save;                     /* a request to stop can be met by saving */
static atomic_llong asked;                      /* nanoseconds of the first SIGINT; 0: none */

static int is_first_or_echo(void)
{
    long long now = (long long)(1e9 * clock_seconds()), first = 0;
    return atomic_compare_exchange_strong(&asked, &first, now) || now - first < echo_nanoseconds;
}

static void end_at_once(int number)
{
    stray_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

/* Only a person is in a hurry, and presses Ctrl-C again. Other signals may be sent twice, or again
 * and again: by timeout(1), a terminal that closes, a limit of CPU time. */
static void ask_to_stop(int number)
{
    int none = 0;
    if (atomic_load(&can_save) && (number != SIGINT || is_first_or_echo()))
        atomic_compare_exchange_strong(&requests.stop, &none, number);
    else
        end_at_once(number);
}

static void ask_to_give_up(int number)
{
    atomic_store(&requests.stop, number);
}

static void ask_to_save(int number)
{
    (void)number;
    atomic_store(&requests.save, 1);
}

/* What is ignored when the program starts stays so: SIGHUP under nohup, SIGINT where a script
 * starts it in the background. The numbers end in 0. */
static void handle(const int *numbers, void (*handler)(int))
{
    struct sigaction before, action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    for (; *numbers; numbers++)
        if (!sigaction(*numbers, NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(*numbers, &action, NULL);
}

void signals_setup(void)
{
    handle((int[]){ SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, 0 },
           end_at_once);
}

void signals_prepare(void)
{
    handle((int[]){ SIGHUP, SIGINT, SIGTERM, SIGUSR2, SIGXCPU, 0 }, ask_to_stop);
    handle((int[]){ SIGUSR1, 0 }, ask_to_save);
    handle((int[]){ SIGPIPE, 0 }, SIG_IGN);
}

Requests *signals_requests(void)
{
    atomic_store(&can_save, 1);
    return &requests;
}

atomic_int *signals_interrupts(void)
{
    handle((int[]){ SIGINT, 0 }, ask_to_give_up);
    return &requests.stop;
}
