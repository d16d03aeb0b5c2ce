/*
 * compressed.h - are bytes compressed, and what reads them?
 */
#ifndef RIBBON_COMMAND_COMPRESSED_H
#define RIBBON_COMMAND_COMPRESSED_H

#include <stddef.h>

/* What reads a file that begins so, if it is compressed; else NULL. */
extern const char *compression_of(const void *bytes, size_t size);

#endif /* RIBBON_COMMAND_COMPRESSED_H */
