/*
 * batches.c - probe a plane for many hashes: as batches, or one by one
 *
 * A batch goes through the layers together (layers.h), so that the loads of
 * its keys overlap.  prepare.c says from how many keys on that is faster.
 */
#include "probe/batches.h"

#include "probe/layers.h"
#include "probe/locate.h"
#include "probe/probes.h"

/*
 * A batch loop of RIBBON_ANY compares the first eight columns of each key, and
 * the others in a second step if these match.  That suits non-members.  So this
 * many keys are probed singly first.  If all of them are members, most of the
 * others are taken to be, too; if the filter is in the caches, one is enough
 * (with half members and r = 30 two steps take 1.35 times as long).
 */
#define SAMPLE 8

/* One by one; returns how many are in the set. */
static size_t
contains_singly(const RibbonPlane *plane, const uint64_t *hashes, size_t n,
				bool *answers)
{
	size_t nmembers = 0;
	uint64_t code;

	for (size_t i = 0; i < n; i++)
	{
		answers[i] = plane->find(plane, hashes[i], &code);
		nmembers += answers[i];
	}
	return nmembers;
}

/* Answer at least least_batch hashes. */
static __attribute__((noinline)) void
contains_in_batches(const RibbonPlane *plane, const uint64_t *hashes, size_t n,
					bool *answers)
{
	RibbonBatchLoop loop = plane->batch;
	size_t nhashes = 0;

	if (plane->batch_members != loop && n >= 2 * RIBBON_AHEAD)
	{
		size_t nmembers = contains_singly(plane, hashes, SAMPLE, answers);

		nhashes = SAMPLE;
		if (nmembers == SAMPLE ||
			(nmembers > 0 && plane->batch_members == NULL))
			loop = plane->batch_members;
	}
	for (size_t i = nhashes; i < n; i += nhashes)
	{
		const uint64_t *first = hashes + i;
		uint64_t salted[RIBBON_BATCH];

		nhashes = ribbon_min64(n - i, RIBBON_BATCH);
		if (loop == NULL || nhashes < RIBBON_AHEAD)
		{
			contains_singly(plane, first, nhashes, answers + i);
			continue;
		}
		if (plane->salted)
		{
			for (size_t k = 0; k < nhashes; k++)
				salted[k] = ribbon_locate_salted(plane, first[k]);
			first = salted;
		}
		ribbon_layers_answer(plane, loop, first, (unsigned) nhashes,
							 answers + i, NULL);
	}
}

void
ribbon_batches_get(const RibbonPlane *plane, bool singly,
				   const uint64_t *hashes, unsigned n, bool *found,
				   uint64_t *codes)
{
	uint64_t salted[RIBBON_BATCH];

	if (singly || n < RIBBON_AHEAD)
	{
		for (unsigned i = 0; i < n; i++)
			found[i] = plane->find(plane, hashes[i], &codes[i]);
		return;
	}
	if (plane->salted)
	{
		for (unsigned i = 0; i < n; i++)
			salted[i] = ribbon_locate_salted(plane, hashes[i]);
		hashes = salted;
	}
	ribbon_layers_answer(plane, plane->batch, hashes, n, found, codes);
}

void
ribbon_batches_contain(const RibbonPlane *plane, const uint64_t *hashes,
					   size_t n, bool *answers)
{
	if (n < plane->least_batch)
		contains_singly(plane, hashes, n, answers);
	else
		contains_in_batches(plane, hashes, n, answers);
}
