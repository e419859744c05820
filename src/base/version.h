/* version.h - the version, in one place. */
#ifndef ATTN_BASE_VERSION_H
#define ATTN_BASE_VERSION_H

#define ATTN_VERSION "0.1.0"

#endif
