/*
 * window_buckets.c - the buckets of a window, filled one after the other
 */
#include "construct/window_buckets.h"

#define ROOM_LEFT	   16 /* slots that stay empty as a rule */
#define ROOM_LEFT_MORE 40 /* and where that is made surer */

/*
 * Buckets between calls of RibbonEnv.interrupted: a tenth of a millisecond, or
 * a few milliseconds where each has as many keys as a sweep can take.
 */
#define INTERRUPT_BUCKETS 16

/* Hash i, with its value word behind it if there is one. */
static inline const uint64_t *
element(const RibbonWindow *window, size_t i)
{
	return window->range.words + i * window->stride;
}

/* The starting position of hash i. */
static inline uint64_t
start_of(const RibbonWindow *window, size_t i)
{
	return ribbon_system_start(window->cut->system, *element(window, i));
}

size_t
ribbon_window_find(const RibbonWindow *window, size_t low, size_t high,
				   uint64_t start)
{
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;

		if (start_of(window, middle) < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

unsigned
ribbon_window_exceptions(const RibbonWindow *window, uint64_t bucket)
{
	const RibbonCut *cut = window->cut;
	uint64_t first = bucket / RIBBON_GROUP_BUCKETS * RIBBON_GROUP_BUCKETS;
	const uint8_t *codes = ribbon_window_code(window, first);
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
needs_exception(const RibbonWindow *window)
{
	const RibbonSweep *sweep = window->sweep;
	const RibbonCut *cut = window->cut;
	const RibbonBuckets *buckets = cut->buckets;
	uint64_t size = UINT64_C(1) << buckets->log2_size;
	uint64_t end = (window->bucket + 1) * size;
	size_t last = (size_t) ribbon_min64(window->range.n,
										window->next + 2 * size);
	uint64_t load = ribbon_window_find(window, window->next, last, end + size) -
		window->next;
	uint64_t room = buckets->threshold[1];

	room += ribbon_window_slot(window, end + size) + ribbon_cut_seam(cut) ==
			sweep->slot_limit ?
		buckets->threshold[1] :
		cut->system->width;
	room -= ribbon_window_exceptions(window, window->bucket) > 0 ?
		ROOM_LEFT_MORE :
		ROOM_LEFT;
	/* a bucket begins where a step does */
	for (unsigned i = 0; i < sweep->npivots; i++)
		if (sweep->pivots[i].slot >= ribbon_window_slot(window, end))
			load += (unsigned) __builtin_popcount(sweep->pivots[i].filled);
	return load > size + room;
}

/*
 * The bucket has been banded: store its threshold.  A bucket that bumps no key
 * bumps some all the same if the next one would be too full otherwise.  That
 * more than halves the number of exceptions.
 */
static void
finish_bucket(RibbonWindow *window)
{
	RibbonSweep *sweep = window->sweep;
	uint8_t *code = ribbon_window_code(window, window->bucket);

	if (!window->cut->bumps)
	{
		window->too_many |= sweep->code > 0;
		return;
	}
	if (window->cut->buckets->grouped && sweep->code == 0 && *code == 0 &&
		needs_exception(window))
		sweep->code = 1;
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		*code = (uint8_t) sweep->code;
}

/* Skip the hashes that the bucket's threshold, if set before, bumps. */
static void
skip_bumped(RibbonWindow *window)
{
	const RibbonBuckets *buckets = window->cut->buckets;
	unsigned code = *ribbon_window_code(window, window->bucket);

	if (code > 0)
		window->next = ribbon_window_find(window, window->next, window->end,
										  (window->bucket
										   << buckets->log2_size) +
											  buckets->threshold[code]);
}

/* Fill the bucket that hash next is in, if any key stays. */
static void
fill_bucket(RibbonWindow *window)
{
	const RibbonCut *cut = window->cut;
	unsigned log2_size = cut->buckets->log2_size;
	size_t n;

	window->bucket = start_of(window, window->next) >> log2_size;
	skip_bumped(window);
	*ribbon_window_end(window, window->bucket) = window->next;
	if (window->next == window->end ||
		start_of(window, window->next) >> log2_size > window->bucket)
		return;
	n = ribbon_sweep_begin(window->sweep, cut->system, window->supply,
						   element(window, window->next),
						   window->end - window->next);
	window->too_many = n > RIBBON_SWEEP_KEYS;
	if (window->too_many)
		return;
	window->next += n;
	*ribbon_window_end(window, window->bucket) = window->next;
	while (ribbon_sweep_advance(window->sweep))
		;
	finish_bucket(window);
}

RibbonStatus
ribbon_window_fill_buckets(const RibbonEnv *env, RibbonWindow *window,
						   size_t begin, size_t end, uint64_t slot_limit)
{
	window->next = begin;
	window->end = end;
	window->sweep->slot_limit = slot_limit;
	for (unsigned n = 1; !window->too_many && window->next < end; n++)
	{
		fill_bucket(window);
		if (n % INTERRUPT_BUCKETS == 0 && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}
