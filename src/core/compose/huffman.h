/*
 * huffman.h - the lengths of codes that take the fewest bits in all
 */
#ifndef RIBBON_HUFFMAN_H
#define RIBBON_HUFFMAN_H

#include "base/env.h"

/*
 * Set lengths[i], 1 .. RIBBON_LONGEST_CODE, of the codes of n values, 2 ..
 * RIBBON_MAX_CODES, of which value i occurs counts[i] times, 1 .. 2^48; from
 * 2^46 - 1 on, all are as frequent.  Of values that are as frequent, the codes
 * of greater ones are no longer.
 * Lengths of a complete code: the sum of 2^-lengths[i] is 1.  Errors:
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_huffman_lengths(const RibbonEnv *env,
										   const uint64_t *counts, uint32_t n,
										   uint8_t *lengths);

#endif /* RIBBON_HUFFMAN_H */
