/* signature.h - what the signatures of all scores begin and end with.
 *
 * A signature says everything a score depends on, so that two scores with the same one can be compared:
 *     nrefs:1|case:mixed|eff:no|...|version:attn-0.1.0
 */
#ifndef ATTN_METRICS_SIGNATURE_H
#define ATTN_METRICS_SIGNATURE_H

#include "base/buf.h"

/* references 0: their number varies from segment to segment. */
void signature_begin(Buf *out, int references, int lowercase, int effective_order);
void signature_end(Buf *out);

#endif
