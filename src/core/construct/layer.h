/*
 * layer.h - one overloaded layer of BuRR, and the keys it bumps
 *
 * A layer has fewer slots than keys (m = 0.91 n, say), so that hardly any slot
 * stays empty; the keys that do not fit are bumped [BuRR 1.1, 7, 7.1].  The
 * starting positions are cut into buckets of b.  Buckets are filled from left
 * to right, the keys of a bucket from right to left:
 *
 *----------
 *	 bucket k	 |<- bumped ->|<----------- kept ------------>|
 *	 position	 0            t                              b - 1
 *	                          ^ <-- insertion goes this way
 *----------
 *
 * When a key does not fit, the least threshold (format/buckets.h) that is above
 * its position is stored; all keys of the bucket below that threshold t are
 * bumped, and those of them that were inserted are removed ("rolled back").
 * Filling a bucket from the right shows how far it can be filled, and bumps the
 * keys at its left end, where slots are taken by keys that start in the
 * previous bucket.  The bumped keys are the input of the next layer.
 */
#ifndef RIBBON_LAYER_H
#define RIBBON_LAYER_H

#include "format/plane.h"
#include "set/set.h"
#include "solve/supply.h"

/* A layer to be built.  The memory is the caller's. */
typedef struct RibbonLayer
{
	const RibbonPlane *plane;	/* has its system, and its buckets */
	unsigned number;			/* which of the plane's systems it is */
	const RibbonSupply *supply; /* of results of records; NULL: hashes */
	RibbonSet *bumped;			/* gets the keys that it bumps */
	uint8_t *thresholds; /* ribbon_buckets_threshold_bytes() to be written */
	uint8_t *slots;		 /* ribbon_icml_bytes() to be written, zeroed */
} RibbonLayer;

/*
 * Fill a layer with the keys of these hashes, as this layer sees them, and
 * solve it: writes its thresholds and slots.  The hashes of the keys that it
 * bumps, as the next layer sees them, are added to layer->bumped.
 *
 * Errors: RIBBON_SUSPICIOUS (salt.h) if they are more than it may get, if a
 * bucket has more hashes than a sweep can take, or if hashes are clustered
 * (cluster.c) and not salted; RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those
 * of files.
 */
extern RibbonStatus ribbon_layer_build(const RibbonEnv *env, RibbonLayer *layer,
									   const RibbonSet *hashes);

#endif /* RIBBON_LAYER_H */
