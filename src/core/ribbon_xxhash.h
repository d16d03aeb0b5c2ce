/*
 * ribbon_xxhash.h - XXH3, inlined so that its symbols stay ours
 */
#ifndef RIBBON_XXHASH_H
#define RIBBON_XXHASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif /* RIBBON_XXHASH_H */
