/*
 * layers.h - take a batch of hashes through the layers
 *
 * All go through the first layer, those that it bumps through the next, and so
 * on, until few are left, which are probed one by one.
 */
#ifndef RIBBON_LAYERS_H
#define RIBBON_LAYERS_H

#include "probe/find.h"
#include "probe/probes.h"

/* Answer hashes that have come to a layer, except those that it bumps. */
static inline void
ribbon_layers_find(const RibbonPlane *plane, RibbonBatchLoop loop, int layer,
				   RibbonBatch *batch)
{
	loop(plane, &plane->systems[layer], batch);
	for (unsigned k = 0; k < batch->nrest; k++)
	{
		unsigned i = batch->rest[k];

		batch->answers[i] =
			ribbon_find_from(plane, layer, batch->hashes[i],
							 batch->codes == NULL ? NULL : &batch->codes[i]);
	}
}

/*
 * Answer 1 .. RIBBON_BATCH first hashes by the loop of a filter; or, if codes
 * is not NULL, of a plane of a map, whose codes are set, too.
 */
static inline __attribute__((always_inline)) void
ribbon_layers_answer(const RibbonPlane *plane, RibbonBatchLoop loop,
					 const uint64_t *hashes, unsigned nhashes, bool *answers,
					 uint64_t *codes)
{
	RibbonBatch batch;
	uint64_t left[RIBBON_BATCH]; /* hashes that have been bumped */
	uint16_t keys[RIBBON_BATCH]; /* left[k] is of hashes[keys[k]] */
	bool left_answers[RIBBON_BATCH];
	uint64_t left_codes[RIBBON_BATCH];
	int layer = 1;

	batch.hashes = hashes;
	batch.nhashes = nhashes;
	batch.answers = answers;
	batch.codes = codes;
	ribbon_layers_find(plane, loop, 0, &batch);
	for (unsigned k = 0; k < batch.nbumped; k++)
	{
		keys[k] = batch.bumped[k];
		left[k] = ribbon_hash_next_layer(hashes[keys[k]]);
	}

	batch.hashes = left;
	batch.answers = left_answers;
	batch.codes = codes == NULL ? NULL : left_codes;
	for (; batch.nbumped >= RIBBON_AHEAD && layer < plane->nlayers &&
		 plane->systems[layer].whole > 0;
		 layer++)
	{
		batch.nhashes = batch.nbumped;
		ribbon_layers_find(plane, loop, layer, &batch);
		for (unsigned k = 0; k < batch.nhashes; k++)
		{
			answers[keys[k]] = left_answers[k];
			if (codes != NULL)
				codes[keys[k]] = left_codes[k];
		}
		for (unsigned k = 0; k < batch.nbumped; k++)
		{
			unsigned i = batch.bumped[k];

			keys[k] = keys[i];
			left[k] = ribbon_hash_next_layer(left[i]);
		}
	}

	for (unsigned k = 0; k < batch.nbumped; k++)
	{
		uint64_t *code = codes == NULL ? NULL : &codes[keys[k]];
		bool *answer = &answers[keys[k]];

		if (layer > 1)
			*answer = ribbon_find_from(plane, layer, left[k], code);
		else
			*answer = plane->find_bumped(plane, left[k], code);
	}
}

#endif /* RIBBON_LAYERS_H */
