/*
 * batches.c - probe a plane for many hashes: as batches, or one by one
 *
 * A batch goes through the layers together, so that the loads of its keys
 * overlap: all through the first layer, those that it bumps through the next,
 * and so on, until few are left, which are probed one by one.  prepare.c says
 * from how many keys on that is faster: never if the kernel has no batches.
 * Keys that are probed one by one are loaded ahead, if slots are far.
 */
#include "probe/batch.h"

#include "format/icml.h"
#include "probe/locate.h"

#include <string.h>

/*
 * A filter's batch loop in two steps compares the first eight columns of each
 * key, and the others if these match.  That suits non-members: of these it
 * takes 0.65 to 0.75 of the time at r = 20, of half members 1.1.  So this many
 * keys are probed singly first, of which at most so many may be members.
 */
#define SAMPLE	8
#define MEMBERS 2

/* Begin to load both blocks of a hash in the first layer. */
static void
load_ahead(const RibbonOpened *opened, uint64_t hash)
{
	const RibbonPlane *plane = &opened->plane;
	const RibbonSystem *system = &plane->systems[0];
	uint64_t start = ribbon_locate_start(system, hash);
	uint64_t block = start >> (5 + ribbon_width_index(plane->width));
	const uint8_t *from = system->slots +
		ribbon_icml_block_bit(system, block) / 8;

	ribbon_prefetch(from, 2 * system->ncolumns * (plane->width / 8));
}

/* One by one; returns how many are in the plane. */
static size_t
find_singly(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
			bool *answers, uint64_t *codes)
{
	size_t nmembers = 0;
	size_t nloaded = 0;
	uint64_t unused;
	uint64_t *code = codes == NULL ? &unused : codes;
	size_t step = codes == NULL ? 0 : 1;

	for (size_t i = 0; i < n; i++, code += step)
	{
		for (; opened->ahead && nloaded < n && nloaded <= i + RIBBON_AHEAD;
			 nloaded++)
			load_ahead(opened, hashes[nloaded]);
		answers[i] = opened->find(opened, hashes[i], code);
		nmembers += answers[i];
	}
	return nmembers;
}

/* Keys that go through the layers together. */
typedef struct Round
{
	const RibbonOpened *opened;
	bool *answers;
	uint64_t *codes; /* or NULL */

	RibbonBatch batch;	  /* those that have come to a layer, at first all */
	const uint16_t *keys; /* hash k is that of key keys[k]; NULL: of k */
	uint64_t bumped_hashes[RIBBON_BATCH];
	uint16_t bumped_keys[RIBBON_BATCH];
} Round;

/* One by one, the key of hash k, which has come to a layer. */
static void
find_one(const Round *round, unsigned layer, unsigned k)
{
	const RibbonOpened *opened = round->opened;
	unsigned i = round->keys == NULL ? k : round->keys[k];
	uint64_t hash = round->batch.hashes[k];
	uint64_t unused;
	uint64_t *code = round->codes == NULL ? &unused : &round->codes[i];

	round->answers[i] = layer == 0 ?
		opened->find_first(opened, hash, code) :
		ribbon_find_from(opened, hash, code, layer);
}

/* Answer those that have come to a layer.  Those that it bumps remain. */
static void
find_in_layer(Round *round, RibbonFindBatch *loop, const RibbonStage *stage,
			  unsigned layer)
{
	RibbonBatch *batch = &round->batch;
	const uint16_t *keys = round->keys;
	bool found[RIBBON_BATCH];
	uint64_t results[RIBBON_BATCH];

	batch->found = keys == NULL ? round->answers : found;
	batch->results = keys == NULL && round->codes != NULL ? round->codes :
															results;
	loop(round->opened, stage, batch);
	for (unsigned k = 0; keys != NULL && k < batch->nhashes; k++)
	{
		round->answers[keys[k]] = found[k];
		if (round->codes != NULL)
			round->codes[keys[k]] = results[k];
	}
	for (unsigned k = 0; RIBBON_UNLIKELY(k < batch->nends); k++)
		find_one(round, layer, batch->ends[k]);
	for (unsigned k = 0; k < batch->nbumped; k++)
	{
		unsigned i = batch->bumped[k];

		round->bumped_hashes[k] = ribbon_hash_next_layer(batch->hashes[i]);
		round->bumped_keys[k] = keys == NULL ? (uint16_t) i : keys[i];
	}
	batch->hashes = round->bumped_hashes;
	batch->nhashes = batch->nbumped;
	round->keys = round->bumped_keys;
}

/* Look up at most RIBBON_BATCH hashes that have been salted if need be. */
static void
find_round(const RibbonOpened *opened, bool in_steps, const uint64_t *hashes,
		   unsigned n, bool *answers, uint64_t *codes)
{
	RibbonStage stage;
	Round round;
	unsigned layer = 0;

	round.opened = opened;
	round.answers = answers;
	round.codes = codes;
	round.batch.hashes = hashes;
	round.batch.nhashes = n;
	round.keys = NULL;
	for (; round.batch.nhashes > 0; layer++)
	{
		RibbonFindBatch *loop = opened->batch;
		unsigned least = RIBBON_LANES;

		if (layer == opened->plane.nlayers && layer > 0)
		{
			loop = opened->batch_last;
			least += 4 * ribbon_plane_nzones(&opened->plane);
		}
		n = round.batch.nhashes;
		if (n < least || loop == NULL ||
			!ribbon_stage_set(&stage, opened, layer, n, in_steps))
			break;
		find_in_layer(&round, loop, &stage, layer);
	}
	for (unsigned k = 0; k < round.batch.nhashes; k++)
		find_one(&round, layer, k);
}

/* Look up at least least_batch hashes. */
static __attribute__((noinline)) void
find_in_batches(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
				bool *answers, uint64_t *codes)
{
	bool in_steps = opened->in_steps;
	size_t ndone = 0;

	if (codes != NULL && opened->plane.value_bits == 0)
	{
		memset(codes, 0, n * sizeof(*codes));
		codes = NULL;
	}
	if (in_steps && n >= 2 * RIBBON_AHEAD)
	{
		ndone = SAMPLE;
		in_steps = find_singly(opened, hashes, SAMPLE, answers, codes) <=
			MEMBERS;
	}
	for (size_t nhashes; ndone < n; ndone += nhashes)
	{
		const uint64_t *first = hashes + ndone;
		uint64_t *first_code = codes == NULL ? NULL : codes + ndone;
		uint64_t salted[RIBBON_BATCH];

		nhashes = (size_t) ribbon_min64(n - ndone, RIBBON_BATCH);
		if (nhashes < RIBBON_AHEAD)
		{
			find_singly(opened, first, nhashes, answers + ndone, first_code);
			continue;
		}
		if (opened->plane.salted)
		{
			for (size_t k = 0; k < nhashes; k++)
				salted[k] = ribbon_locate_salted(opened, first[k]);
			first = salted;
		}
		find_round(opened, in_steps, first, (unsigned) nhashes, answers + ndone,
				   first_code);
	}
}

void
ribbon_batches_find(const RibbonOpened *opened, const uint64_t *hashes,
					size_t n, bool *answers, uint64_t *codes)
{
	if (n < opened->least_batch || opened->batch == NULL)
		find_singly(opened, hashes, n, answers, codes);
	else
		find_in_batches(opened, hashes, n, answers, codes);
}
