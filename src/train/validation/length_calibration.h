/* length_calibration.h - how far a search is to prefer long translations: the exponent
 * SearchOptions.normalize with which translations of the validation sentences have as many words as
 * their references. A corpus whose translations say more than their sources, or a network that is
 * unsure, has them too short with 1 (the brevity penalty of Papineni et al. 2002).
 */
#ifndef ATTN_TRAIN_LENGTH_CALIBRATION_H
#define ATTN_TRAIN_LENGTH_CALIBRATION_H

#include "base/system/pool.h"
#include "model/file/model_file.h"
#include "text/corpus/segments.h"

#include <stdatomic.h>

/* Of fewer sentences the length is mostly chance; more take time. */
enum { LEAST_LENGTHS = 500, MOST_LENGTHS = 1000 };

typedef struct {
    double normalize;           /* with two decimals, from 0.4 to 1.6 */
    int    is_bound;            /* one of these, with which the lengths still differ */
    double ratio;               /* words of the translations with 1 for each of the references */
} LengthCalibration;

/* length_calibration - of a model and these sentences, the first reference of each. Returns 0 where
 * there are too few, or once *stop is not 0.
 * length_calibration_keep - of the model in a file, which then has it; -1 with a message: the file
 * cannot be read or written. */
int length_calibration(LengthCalibration *found, const Model *model, const Segments *text,
                       const atomic_int *stop, Pool *pool);
int length_calibration_keep(LengthCalibration *found, const char *path, const Segments *text,
                            const atomic_int *stop, Pool *pool, Err *e);

#endif
