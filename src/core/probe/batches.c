/*
 * batches.c - probe a plane for many hashes: as batches, or one by one
 *
 * A batch goes through the layers together, so that the loads of its keys
 * overlap: all through the first layer, those that it bumps through the next,
 * and so on, until few are left, which are probed one by one.  prepare.c says
 * from how many keys on that is faster.
 */
#include "probe/plan.h"

#include "probe/locate.h"
#include "probe/probes.h"

/*
 * A filter's batch loop in two steps compares the first eight columns of each
 * key, and the others if these match.  That suits non-members.  So this many
 * keys are probed singly first.  If all of them are members, most of the others
 * are taken to be, too; if the filter is in the caches, one is enough (with
 * half members and r = 30 two steps take 1.35 times as long).
 */
#define SAMPLE 8

/* One by one; returns how many are in the plane. */
static size_t
find_singly(const RibbonPlan *plan, const uint64_t *hashes, size_t n,
			bool *answers, uint64_t *codes)
{
	size_t nmembers = 0;
	uint64_t unused;
	uint64_t *code = codes == NULL ? &unused : codes;
	size_t step = codes == NULL ? 0 : 1;

	for (size_t i = 0; i < n; i++, code += step)
	{
		answers[i] = plan->find(plan, hashes[i], code);
		nmembers += answers[i];
	}
	return nmembers;
}

/* Answer hashes that have come to a layer, except those that it bumps. */
static void
find_in_layer(const RibbonPlan *plan, RibbonFindBatch *loop, int layer,
			  RibbonBatch *batch)
{
	loop(plan, &plan->plane.systems[layer], batch);
	for (unsigned k = 0; k < batch->nrest; k++)
	{
		unsigned i = batch->rest[k];

		batch->answers[i] = ribbon_find_from(plan, layer, batch->hashes[i],
											 &batch->codes[i]);
	}
}

/* Look up 1 .. RIBBON_BATCH hashes that have been salted if need be. */
static void
find_batch(const RibbonPlan *plan, RibbonFindBatch *loop,
		   const uint64_t *hashes, unsigned nhashes, bool *answers,
		   uint64_t *codes)
{
	RibbonBatch batch;
	uint64_t left[RIBBON_BATCH]; /* hashes that have been bumped */
	uint16_t keys[RIBBON_BATCH]; /* left[k] is of hashes[keys[k]] */
	bool left_answers[RIBBON_BATCH];
	uint64_t left_codes[RIBBON_BATCH];
	uint64_t unused[RIBBON_BATCH];
	int layer = 1;

	if (codes == NULL)
		codes = unused;

	batch.hashes = hashes;
	batch.nhashes = nhashes;
	batch.answers = answers;
	batch.codes = codes;
	find_in_layer(plan, loop, 0, &batch);
	for (unsigned k = 0; k < batch.nbumped; k++)
	{
		keys[k] = batch.bumped[k];
		left[k] = ribbon_hash_next_layer(hashes[keys[k]]);
	}

	batch.hashes = left;
	batch.answers = left_answers;
	batch.codes = left_codes;
	for (; batch.nbumped >= RIBBON_AHEAD && layer < plan->plane.nlayers &&
		 plan->plane.systems[layer].whole > 0;
		 layer++)
	{
		batch.nhashes = batch.nbumped;
		find_in_layer(plan, loop, layer, &batch);
		for (unsigned k = 0; k < batch.nhashes; k++)
		{
			answers[keys[k]] = left_answers[k];
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
		uint64_t *code = &codes[keys[k]];
		bool *answer = &answers[keys[k]];

		if (layer > 1)
			*answer = ribbon_find_from(plan, layer, left[k], code);
		else
			*answer = plan->find_bumped(plan, left[k], code);
	}
}

/* Look up at least least_batch hashes. */
static __attribute__((noinline)) void
find_in_batches(const RibbonPlan *plan, const uint64_t *hashes, size_t n,
				bool *answers, uint64_t *codes)
{
	RibbonFindBatch *loop = plan->batch;
	size_t ndone = 0;

	if (plan->batch_members != loop && n >= 2 * RIBBON_AHEAD)
	{
		size_t nmembers = find_singly(plan, hashes, SAMPLE, answers, codes);

		ndone = SAMPLE;
		if (nmembers == SAMPLE || (nmembers > 0 && plan->batch_members == NULL))
			loop = plan->batch_members;
	}
	for (size_t nhashes; ndone < n; ndone += nhashes)
	{
		const uint64_t *first = hashes + ndone;
		uint64_t *first_code = codes == NULL ? NULL : codes + ndone;
		uint64_t salted[RIBBON_BATCH];

		nhashes = (size_t) ribbon_min64(n - ndone, RIBBON_BATCH);
		if (loop == NULL || nhashes < RIBBON_AHEAD)
		{
			find_singly(plan, first, nhashes, answers + ndone, first_code);
			continue;
		}
		if (plan->plane.salted)
		{
			for (size_t k = 0; k < nhashes; k++)
				salted[k] = ribbon_locate_salted(plan, first[k]);
			first = salted;
		}
		find_batch(plan, loop, first, (unsigned) nhashes, answers + ndone,
				   first_code);
	}
}

void
ribbon_batches_find(const RibbonPlan *plan, const uint64_t *hashes, size_t n,
					bool *answers, uint64_t *codes)
{
	if (n < plan->least_batch)
		find_singly(plan, hashes, n, answers, codes);
	else
		find_in_batches(plan, hashes, n, answers, codes);
}
