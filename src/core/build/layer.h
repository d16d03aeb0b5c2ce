/*
 * layer.h - one overloaded layer of BuRR, and the keys it bumps
 *
 * A layer has fewer slots than keys (m = 0.94 n, say), so that hardly any slot
 * stays empty, and gets rid of the surplus by bumping [BuRR 3.2, 7.1].
 * Starting positions are cut into buckets of b.  Buckets are filled from left
 * to right, the keys of a bucket from right to left:
 *
 *----------
 *	 bucket k	 |<- bumped ->|<----------- kept ------------>|
 *	 position	 0            t                              b - 1
 *	                          ^ <-- insertion goes this way
 *----------
 *
 * When a key does not fit, its position and all those left of it are given up:
 * the smallest threshold t above it that two bits can name is stored, and the
 * keys below t that were already in are rolled back.  Filling a bucket
 * backwards shows how far it can be filled, and leaves the unfilled end next
 * to the previous bucket's overflow.  Bumped keys are the next layer's input.
 */
#ifndef RIBBON_LAYER_H
#define RIBBON_LAYER_H

#include "build/hashes.h"
#include "format/buckets.h"

/* A layer to be built; slots are zeroed. */
typedef struct RibbonLayer
{
	const RibbonSystem *system;
	const RibbonBuckets *buckets;
	uint8_t *thresholds; /* ribbon_buckets_threshold_bytes */
	uint8_t *slots;		 /* ribbon_icml_bytes */
	int number;			 /* for reports */
	bool clustered;		 /* hashes may be clustered, wherever they are */
} RibbonLayer;

/*
 * Fill a layer with hashes, and solve it.  The next layer's hashes of the keys it
 * bumps are added to bumped.
 *
 * *suspicious is set if that were more than its capacity, or if more hashes cluster in one
 * place than chance explains (unless crowds): then the work stops, and neither
 * slots nor thresholds nor bumped are to be used.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of stores.
 */
extern RibbonStatus ribbon_layer_build(const RibbonEnv *env,
									   const RibbonLayer *layer,
									   const RibbonHashes *hashes,
									   RibbonHashes *bumped, bool *suspicious);

#endif /* RIBBON_LAYER_H */
