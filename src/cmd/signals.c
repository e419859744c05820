/* signals.c - handlers turn signals into requests. A handler reaches only global variables, and
 * may call next to nothing. */
#include "cmd/signals.h"

#include "base/files/stray.h"
#include "base/system/clock.h"

#include <signal.h>

/* timeout(1) sends a signal to the process and then to its group: a signal so soon after the
 * first repeats it. */
static const long long echo_nanoseconds = 200000000;

static Requests requests;
static atomic_int can_save;                     /* a request to stop can be met by saving */
/* nanoseconds of the first request to stop; 0: none */
static atomic_llong asked;

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

static void ask_to_stop(int number)
{
    int none = 0;
    if (atomic_load(&can_save) && (is_first_or_echo() || number == SIGHUP))
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

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static int is_ignored(int number)
{
    struct sigaction action;
    return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

void signals_setup(void)
{
    static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU };
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (!is_ignored(ending[i])) handle(ending[i], end_at_once);
}

void signals_prepare(void)
{
    handle(SIGINT, ask_to_stop);
    handle(SIGTERM, ask_to_stop);
    if (!is_ignored(SIGHUP)) handle(SIGHUP, ask_to_stop);
    handle(SIGUSR1, ask_to_save);
    handle(SIGPIPE, SIG_IGN);
}

Requests *signals_requests(void)
{
    atomic_store(&can_save, 1);
    return &requests;
}

atomic_int *signals_interrupts(void)
{
    if (!is_ignored(SIGINT)) handle(SIGINT, ask_to_give_up);
    return &requests.stop;
}
