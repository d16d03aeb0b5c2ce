/*
 * burr.h - bumped ribbon: overloaded layers, and a last layer without bumping
 */
#ifndef RIBBON_BURR_H
#define RIBBON_BURR_H

#include "construct/hashes.h"

/*
 * Build a BuRR filter [BuRR 1.1, 7] of sorted, distinct hashes, one at least.
 * params has been checked, and its width is not RIBBON_DEFAULT_WIDTH.
 *
 * If hashes are records, it is a plane of a map: with value bits as their
 * supply says, and check bits for params->fpr, which may be 1 (no check bits).
 * A slot then has one bit at least, and RIBBON_MAX_COLUMNS at most.
 *
 * If hashes owns its array or store, that is freed or closed, and the array may
 * be overwritten before.  headroom, *bytes, *nbytes and errors are those of
 * ribbon_build; in the buffer there are tailroom more bytes behind the filter.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonParams *params,
									  RibbonHashes *hashes, size_t headroom,
									  size_t tailroom, uint8_t **bytes,
									  size_t *nbytes);

#endif /* RIBBON_BURR_H */
