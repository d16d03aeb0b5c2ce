/*
 * ribbon_xxhash.h - XXH3, inlined: a server exports no symbol of it
 */
#ifndef RIBBON_XXHASH_H
#define RIBBON_XXHASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Before 0.8.0 XXH3 was an experiment, and gave other hashes. */
#if defined(XXH_VERSION_NUMBER) && XXH_VERSION_NUMBER < 800
#error \
	"ribbon needs xxHash 0.8.0 or newer: the XXH3 of older ones gives other hashes"
#endif

#endif /* RIBBON_XXHASH_H */
