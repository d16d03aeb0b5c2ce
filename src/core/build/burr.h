/*
 * burr.h - bumped ribbon: layers, and the last layer that takes the rest
 */
#ifndef RIBBON_BURR_H
#define RIBBON_BURR_H

#include "build/hashes.h"

/*
 * Build a BuRR filter [BuRR 3.2] of at least one hash.  params has been checked
 * and names a width; the hashes may be overwritten.  Results and errors are
 * ribbon_build's.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonParams *params,
									  RibbonHashes *hashes, size_t headroom,
									  uint8_t **bytes, size_t *nbytes);

#endif /* RIBBON_BURR_H */
