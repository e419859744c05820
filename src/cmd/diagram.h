/* diagram.h - a network drawn in text: what each side reads, layer by layer. */
#ifndef ATTN_CMD_DIAGRAM_H
#define ATTN_CMD_DIAGRAM_H

#include "base/buf.h"
#include "model/pass.h"

/* diagram_add - appends the network, in lines. */
void diagram_add(const Architecture *net, Buf *out);

#endif
