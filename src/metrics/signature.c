/* signature.c - the common items of signatures. */
#include "metrics/signature.h"

#include "base/version.h"

void signature_begin(Buf *out, int references, int lowercase, int effective_order)
{
    if (references) buf_printf(out, "nrefs:%d", references);
    else buf_puts(out, "nrefs:var");
    buf_printf(out, "|case:%s|eff:%s", lowercase ? "lc" : "mixed", effective_order ? "yes" : "no");
}

void signature_end(Buf *out)
{
    buf_puts(out, "|version:attn-" ATTN_VERSION);
}
