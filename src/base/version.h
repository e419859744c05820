/* version.h - the version and its day, in one place. */
#ifndef ATTN_BASE_VERSION_H
#define ATTN_BASE_VERSION_H

#define ATTN_VERSION "0.1.0"
#define ATTN_DATE    "2026-11-22"

#endif
