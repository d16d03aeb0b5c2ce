/*
 * run.c - a run of buckets of a window, filled one after the other
 */
#include "construct/run.h"

#define ROOM_LEFT	   16 /* slots that stay empty as a rule */
#define ROOM_LEFT_MORE 40 /* and where that is made surer */

/* Hash i, with its value word behind it if there is one. */
static inline const uint64_t *
element(const RibbonRun *run, size_t i)
{
	return run->hashes + i * run->stride;
}

/* The starting position of hash i. */
static inline uint64_t
start_of(const RibbonRun *run, size_t i)
{
	return ribbon_system_start(run->cut->system, *element(run, i));
}

size_t
ribbon_run_find(const RibbonRun *run, size_t low, size_t high, uint64_t start)
{
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;

		if (start_of(run, middle) < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

unsigned
ribbon_run_exceptions(const RibbonRun *run, uint64_t bucket)
{
	const RibbonCut *cut = run->cut;
	uint64_t first = bucket / RIBBON_GROUP_BUCKETS * RIBBON_GROUP_BUCKETS;
	const uint8_t *codes = ribbon_run_code(run, first);
	uint64_t nbuckets = ribbon_buckets_count(cut->system, cut->buckets);
	uint64_t n = ribbon_min64(RIBBON_GROUP_BUCKETS, nbuckets - first);
	unsigned count = 0;

	for (uint64_t k = 0; k < n; k++)
		count += codes[k] > 1;
	return count;
}

/*
 * Is it likely that the window's next bucket will need an exception?  It has to
 * take its own keys and those that have been stored in its slots, and can bump
 * t positions.  Of the w slots behind its end some will stay empty, and at the
 * end of a window all but t are taken.  A second exception of a group is to be
 * avoided even more [tune].
 */
static bool
needs_exception(const RibbonRun *run)
{
	const RibbonSweep *sweep = run->sweep;
	const RibbonBuckets *buckets = run->cut->buckets;
	uint64_t size = UINT64_C(1) << buckets->log2_size;
	uint64_t end = (run->bucket + 1) * size;
	size_t last = (size_t) ribbon_min64(run->nhashes, run->next + 2 * size);
	uint64_t load = ribbon_run_find(run, run->next, last, end + size) -
		run->next;
	uint64_t room = buckets->threshold[1];

	room += ribbon_run_slot(run, end + size) + ribbon_cut_seam(run->cut) ==
			run->slot_limit ?
		buckets->threshold[1] :
		run->cut->system->width;
	room -= ribbon_run_exceptions(run, run->bucket) > 0 ? ROOM_LEFT_MORE :
														  ROOM_LEFT;
	/* a bucket begins where a step does */
	for (unsigned i = 0; i < sweep->npivots; i++)
		for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
			load += sweep->pivots[i].slot >= ribbon_run_slot(run, end) &&
				ribbon_sweep_pivot_position(&sweep->pivots[i], c) != UINT16_MAX;
	return load > size + room;
}

/*
 * The bucket has been banded: store its threshold.  A bucket that bumps no key
 * bumps some all the same if the next one would be too full otherwise.  That
 * more than halves the number of exceptions.
 */
static void
finish_bucket(const RibbonRun *run)
{
	RibbonSweep *sweep = run->sweep;
	uint8_t *code = ribbon_run_code(run, run->bucket);

	if (run->cut->buckets->grouped && sweep->code == 0 && *code == 0 &&
		needs_exception(run))
		sweep->code = 1;
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		*code = (uint8_t) sweep->code;
}

/* Skip the hashes that the bucket's threshold, if set before, bumps. */
static void
skip_bumped(RibbonRun *run)
{
	const RibbonBuckets *buckets = run->cut->buckets;
	unsigned code = *ribbon_run_code(run, run->bucket);

	if (code > 0)
		run->next = ribbon_run_find(run, run->next, run->end,
									(run->bucket << buckets->log2_size) +
										buckets->threshold[code]);
}

/* Begin the sweep of the bucket that hash run->next is in, if any key stays. */
static void
begin_bucket(RibbonRun *run)
{
	const RibbonCut *cut = run->cut;
	unsigned log2_size = cut->buckets->log2_size;
	RibbonSweepPlace place = {&run->band, cut->system, cut->buckets,
							  run->slot_limit};
	size_t n;

	run->bucket = start_of(run, run->next) >> log2_size;
	skip_bumped(run);
	if (run->next == run->end ||
		start_of(run, run->next) >> log2_size > run->bucket)
		return;
	n = ribbon_sweep_begin(run->sweep, &place, element(run, run->next),
						   run->end - run->next);
	run->too_many = n > RIBBON_SWEEP_KEYS;
	run->busy = !run->too_many;
	run->next += n;
}

/* End a window's bucket, and begin its next one with keys (RibbonSweepNext). */
static bool
next_bucket(void *arg, unsigned lane)
{
	RibbonRun *run = ((RibbonRun *const *) arg)[lane];

	if (run->busy)
		finish_bucket(run);
	run->busy = false;
	while (!run->too_many && !run->busy && run->next < run->end)
		begin_bucket(run);
	return run->busy;
}

void
ribbon_run_begin(RibbonRun *run, size_t begin, size_t end, uint64_t slot_limit)
{
	run->next = begin;
	run->end = end;
	run->slot_limit = slot_limit;
	run->busy = false;
}

RibbonStatus
ribbon_run_fill(const RibbonEnv *env, RibbonRun *const *runs, unsigned n)
{
	return ribbon_sweep_run(env, runs[0]->sweep, n, next_bucket, (void *) runs);
}
