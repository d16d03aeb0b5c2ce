/*
 * window_buckets.c - the buckets of a window, filled one after the other
 */
#include "construct/window.h"

#include "construct/salt.h"

#define ROOM_LEFT	   16 /* slots that stay empty as a rule */
#define ROOM_LEFT_MORE 40 /* and where that is made surer */

/*
 * Buckets between calls of RibbonEnv.interrupted: a tenth of a millisecond, or
 * a few milliseconds where each has as many keys as a sweep can take.
 */
#define INTERRUPT_BUCKETS 16

/* Hash i, with its value word behind it if there is one. */
static inline const uint64_t *
window_element(const RibbonWindow *window, size_t i)
{
	return window->range.words + i * window->stride;
}

/* The starting position of hash i. */
static inline uint64_t
start_of(const RibbonWindow *window, size_t i)
{
	return ribbon_system_start(window->cut->system, *window_element(window, i));
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

/* Some buckets that are being filled, one after the other. */
typedef struct Filling
{
	RibbonWindow *window;
	size_t next;	 /* index of the next bucket's first hash, */
	size_t end;		 /* and of the first one behind these buckets */
	uint64_t bucket; /* the one that is being filled */
} Filling;

/*
 * Is it likely that the window's next bucket will need an exception?  It has to
 * take its own keys and those that have been stored in its slots, and can bump
 * t positions.  Of the w slots behind its end some will stay empty, and at the
 * end of a window all but t are taken.  A second exception of a group is to be
 * avoided even more [tune].
 */
static bool
needs_exception(const Filling *f)
{
	const RibbonWindow *window = f->window;
	const RibbonSweep *sweep = window->sweep;
	const RibbonCut *cut = window->cut;
	const RibbonBuckets *buckets = cut->buckets;
	uint64_t size = UINT64_C(1) << buckets->log2_size;
	uint64_t end = (f->bucket + 1) * size;
	size_t last = (size_t) ribbon_min64(window->range.n, f->next + 2 * size);
	uint64_t load = ribbon_window_find(window, f->next, last, end + size) -
		f->next;
	uint64_t room = buckets->threshold[1];

	room += ribbon_window_slot(window, end + size) + ribbon_cut_seam(cut) ==
			sweep->slot_limit ?
		buckets->threshold[1] :
		cut->system->width;
	room -= ribbon_window_exceptions(window, f->bucket) > 0 ? ROOM_LEFT_MORE :
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
finish_bucket(const Filling *f)
{
	RibbonWindow *window = f->window;
	RibbonSweep *sweep = window->sweep;
	uint8_t *code = ribbon_window_code(window, f->bucket);

	if (window->cut->buckets->grouped && sweep->code == 0 && *code == 0 &&
		needs_exception(f))
		sweep->code = 1;
	ribbon_sweep_roll_back(sweep);
	if (sweep->code > 0)
		*code = (uint8_t) sweep->code;
}

/* Fill the bucket that hash next is in, if any key stays. */
static RibbonStatus
fill_bucket(Filling *f)
{
	RibbonWindow *window = f->window;
	RibbonSweep *sweep = window->sweep;
	const RibbonCut *cut = window->cut;
	unsigned log2_size = cut->buckets->log2_size;
	unsigned code;
	size_t n;

	f->bucket = start_of(window, f->next) >> log2_size;
	code = *ribbon_window_code(window, f->bucket);
	if (code > 0) /* its threshold has been set, and bumps some hashes */
		f->next = ribbon_window_find(window, f->next, f->end,
									 (f->bucket << log2_size) +
										 cut->buckets->threshold[code]);
	*ribbon_window_end(window, f->bucket) = f->next;
	if (f->next == f->end || start_of(window, f->next) >> log2_size > f->bucket)
		return RIBBON_OK;
	n = ribbon_sweep_begin(sweep, cut->system, window->supply,
						   window_element(window, f->next), f->end - f->next);
	if (n > RIBBON_SWEEP_KEYS)
		return RIBBON_SUSPICIOUS;
	f->next += n;
	*ribbon_window_end(window, f->bucket) = f->next;
	while (ribbon_sweep_advance(sweep))
		;
	if (!cut->bumps)
		return sweep->code > 0 ? RIBBON_SUSPICIOUS : RIBBON_OK;
	finish_bucket(f);
	return RIBBON_OK;
}

RibbonStatus
ribbon_window_fill_buckets(const RibbonEnv *env, RibbonWindow *window,
						   size_t begin, size_t end, uint64_t slot_limit)
{
	Filling f = {.window = window, .next = begin, .end = end};

	window->sweep->slot_limit = slot_limit;
	for (unsigned n = 1; f.next < end; n++)
	{
		RibbonStatus status = fill_bucket(&f);

		if (status == RIBBON_OK && n % INTERRUPT_BUCKETS == 0 &&
			ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
		if (status != RIBBON_OK)
			return status;
	}
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}
