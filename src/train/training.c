/* training.c - see training.h. */
#include "train/training.h"

int training_agree_to_stop(const Training *training)
{
    double stop = atomic_load(&training->requests->stop);
    int none = 0;
    processes_max(training->processes, &stop, 1);
    if (stop > 0) atomic_compare_exchange_strong(&training->requests->stop, &none, (int)stop);
    return stop > 0;
}
