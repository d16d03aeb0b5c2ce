/*
 * zone.c - solve a zone of the last layer: Standard Ribbon with smash, retried
 *
 * The last layer bumps nothing.  With w = 64 and smash w/2 - 1, a square system
 * (as many slots as keys) of up to about a thousand keys has a solution for one
 * hash function in four or so [RF 3.1, 5.4].  So the 16 seeds are tried, then
 * the same with one slot more, and so on.  A set of a thousand keys then takes
 * its result bits and little more.  With more keys a solution soon gets rare,
 * so these are cut into zones (format/zones.h).
 */
#include "construct/last_layer.h"

#include "construct/cluster.h"
#include "construct/salt.h"
#include "format/icml.h"
#include "format/zones.h"
#include "set/sort.h"
#include "solve/backsubst.h"
#include "solve/dense.h"
#include "solve/sweep.h"

/*
 * The spare slots with which one seed in three solves a zone.  With w = 64 and
 * smash 31, the shares of seeds that do, without spare slots and with some
 * (their number in brackets), are 0.29 and 0.57 (1) for 300 keys, 0.19, 0.37
 * (1) and 0.53 (2) for 1000, 0.12 and 0.34 (2) for 1500, 0.06 and 0.27 (4) for
 * 2000 [tune].  Twice the width takes four times the keys.  Where slots have
 * few bits, zones are much of what a filter has beyond the least: there a slot
 * fewer must do, with which one seed in five does.  Maps keep to 0.3 % and 16
 * bytes: with a slot more, nearly all maps of five bits and 16,000 to 23,000
 * keys, and some of six bits, would be a few bytes above.
 */
#define FEW_BITS_SPARE	   4
#define FEW_BITS_SPARE_MAP 6

uint64_t
ribbon_zone_spare(unsigned width, unsigned ncolumns, bool of_records,
				  uint64_t nkeys)
{
	uint64_t keys = width == 128 ? nkeys / 4 : nkeys;

	if (ncolumns > (of_records ? FEW_BITS_SPARE_MAP : FEW_BITS_SPARE))
		keys += 512;
	return keys <= 1024 ? 0 : (keys - 512) / 512;
}

/*
 * What solves the elements of a zone.  Fewer than a row has bits are a matrix,
 * and nothing of this is needed.  The others are banded, in the order of their
 * starting positions under the seed that is tried.
 */
typedef struct Banding
{
	const RibbonZone *zone;
	size_t stride; /* words of an element */
	RibbonBand band;
	RibbonSweep *sweep;
	uint64_t *ordered; /* elements */
	uint32_t *end;	   /* of cells, for systems of one size */
} Banding;

/*
 * Must this seed fail?  Keys that start in some first or last slots have to be
 * stored in these or, at one end, in w - 1 more.  If they are d too many, d
 * equations at least depend on others, each of which fits by a chance of one in
 * 2 to the number of check bits: of all of them together, one in 2^16.  A third
 * of the seeds are given up so, most of which would fail at the last slot.
 */
#define HOPELESS_BITS 16
#define CELLS_APART	  8 /* counts that are looked at */

static bool
is_hopeless(const Banding *b, const RibbonSystem *system)
{
	unsigned checks = b->zone->supply == NULL ? system->ncolumns :
												b->zone->supply->check_bits;
	int64_t most = (int64_t) system->width - (int64_t) system->smash;
	int64_t least = (int64_t) b->zone->nhashes - (int64_t) system->nslots -
		(int64_t) system->smash + 1;
	int64_t high = 0, low = 0;

	/* behind the first cells, and before the last ones, that share a start */
	for (uint64_t c = system->smash; c + system->smash + 1 < system->range;
		 c += CELLS_APART)
	{
		/* keys up to cell c, more than slots */
		int64_t more = (int64_t) b->end[c + 1] - (int64_t) c;

		high = more > high ? more : high;
		low = more < low ? more : low;
	}
	return (high - most) * checks >= HOPELESS_BITS ||
		(least - low) * checks >= HOPELESS_BITS;
}

/*
 * Set b->ordered to the elements with their hashes under the system's seed,
 * cell by cell; within a cell in any order.  False if that is of no use, as the
 * seed must fail.  stride is a constant, and that of the keys.
 */
static inline __attribute__((always_inline)) bool
order_cells(Banding *b, const RibbonSystem *system, size_t stride)
{
	uint64_t factor = system->factor;
	uint64_t ncells = system->range;
	const uint64_t *elements = b->zone->hashes;
	size_t n = b->zone->nhashes;
	uint64_t *ordered = b->ordered;
	uint32_t *end = b->end;
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		end[ribbon_mulhi(elements[i * stride] * factor, ncells)]++;
	for (uint64_t cell = 0; cell < ncells; cell++)
	{
		uint32_t count = end[cell];

		end[cell] = sum;
		sum += count;
	}
	if (is_hopeless(b, system))
		return false;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = elements[i * stride] * factor;
		uint64_t *to = ordered + stride * end[ribbon_mulhi(hash, ncells)]++;

		to[0] = hash;
		if (stride > 1)
			to[1] = elements[i * stride + 1];
	}
	return true;
}

/*
 * Set b->ordered to the elements with their hashes under the system's seed,
 * in ascending order of starting positions; or *useful to false if the seed
 * must fail.  RIBBON_SUSPICIOUS: they cluster (salt.h) under this seed, so keys
 * were chosen for it.
 *
 * Each seed that is tried for a zone, three on average or five if slots have
 * few bits, has an order of its own.  A sweep wants hashes in the order of
 * their starting positions, no finer.  So they are counted into cells, one for
 * each of these, and moved there: a sort (set/sort.h) takes two or three times
 * as long, most of it for the order within cells.
 */
static RibbonStatus
order_hashes(const RibbonEnv *env, Banding *b, const RibbonSystem *system,
			 bool *useful)
{
	size_t n = b->zone->nhashes;
	uint64_t ncells = system->range; /* one for each starting position */
	RibbonStatus status;

	memset(b->end, 0, ncells * sizeof(uint32_t));
	*useful = b->stride == 1 ? order_cells(b, system, 1) :
							   order_cells(b, system, 2);
	if (!*useful ||
		!ribbon_cluster_is_possible(b->ordered, b->stride, n, ncells))
		return RIBBON_OK;

	status = ribbon_sort(env, b->stride, b->ordered, n, NULL);
	if (status == RIBBON_OK &&
		ribbon_cluster_exists(b->ordered, b->stride, n, UINT64_MAX, n))
		return RIBBON_SUSPICIOUS;
	return status;
}

/*
 * Band the seeded hashes, which are in order, by sweeps; the band is empty.  Do
 * all fit, and are there not too many for one of them?
 */
static bool
sweep_all(const Banding *b, const RibbonSystem *system)
{
	RibbonSweep *sweep = b->sweep;

	sweep->band = &b->band;
	sweep->buckets = &ribbon_sweep_buckets;
	sweep->slot_limit = UINT64_MAX;
	for (size_t i = 0; i < b->zone->nhashes;)
	{
		size_t n = ribbon_sweep_begin(sweep, system, b->zone->supply,
									  b->ordered + i * b->stride,
									  b->zone->nhashes - i);

		if (n > RIBBON_SWEEP_KEYS)
			return false;
		while (ribbon_sweep_advance(sweep) && sweep->code == 0)
			;
		if (sweep->code > 0)
			return false;
		i += n;
	}
	return true;
}

/*
 * Try the seeds of a system of this size, as long as zone->tries > 0; write its
 * slots if one works.  *solved: all keys fit.
 */
static RibbonStatus
try_seeds(const RibbonEnv *env, RibbonZone *zone, Banding *b,
		  RibbonSystem *system, uint8_t *slots, bool *solved)
{
	unsigned nseeds = (unsigned) ribbon_min64(zone->tries, RIBBON_ZONE_SEEDS);
	RibbonStatus status = ribbon_band_alloc(env, &b->band, system->nslots,
											system->width, system->ncolumns);

	b->end = ribbon_alloc_array(env, system->range, sizeof(uint32_t));
	if (b->end == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	for (unsigned seed = 0; status == RIBBON_OK && !*solved && seed < nseeds;
		 seed++)
	{
		bool useful = false;

		zone->tries--;
		ribbon_system_set_seed(system, seed);
		status = order_hashes(env, b, system, &useful);
		if (status == RIBBON_OK && useful)
			status = ribbon_band_clear(env, &b->band, 0, system->nslots, 0);
		*solved = status == RIBBON_OK && useful && sweep_all(b, system);
	}
	if (*solved)
	{
		RibbonBacksubst task = {.band = &b->band,
								.system = system,
								.end = system->nslots,
								.slots = slots};

		status = ribbon_backsubst(env, &task);
	}
	ribbon_free(env, b->end);
	ribbon_band_free(env, &b->band);
	return status;
}

/* The same for few keys. */
static RibbonStatus
try_dense(const RibbonEnv *env, RibbonZone *zone, RibbonSystem *system,
		  uint8_t *slots, bool *solved)
{
	unsigned nseeds = (unsigned) ribbon_min64(zone->tries, RIBBON_ZONE_SEEDS);
	unsigned seed = nseeds;
	RibbonDense dense;
	RibbonStatus status = ribbon_dense_create(env, &dense, system,
											  zone->nhashes);

	if (status == RIBBON_OK)
		seed = ribbon_dense_solve(&dense, zone->hashes, zone->supply, nseeds);
	if (status == RIBBON_OK && ribbon_interrupted(env))
		status = RIBBON_INTERRUPTED;
	*solved = seed < nseeds;
	zone->tries -= *solved ? seed + 1 : nseeds;
	if (*solved)
	{
		ribbon_system_set_seed(system, seed);
		ribbon_dense_write(&dense, slots);
	}
	ribbon_dense_free(env, &dense);
	return status;
}

RibbonStatus
ribbon_zone_build(const RibbonEnv *env, RibbonZone *zone, RibbonSystem *system,
				  RibbonBytes *slots)
{
	RibbonResultBits whole = {zone->ncolumns, 0};
	size_t n = zone->nhashes;
	uint64_t spare = ribbon_zone_spare(zone->width, zone->ncolumns,
									   zone->supply != NULL, n);
	Banding banding = {.zone = zone,
					   .stride = ribbon_supply_stride(zone->supply)};
	bool few = n < zone->width; /* a sweep's rows must not be short */
	bool solved = n == 0;
	size_t begin = slots->end;
	uint8_t *place;
	RibbonStatus status = RIBBON_OK;

	if (!few)
	{
		banding.sweep = ribbon_alloc(env, sizeof(RibbonSweep));
		banding.ordered = ribbon_alloc_array(env, n,
											 banding.stride * sizeof(uint64_t));
		if (banding.sweep == NULL || banding.ordered == NULL)
			status = RIBBON_OUT_OF_MEMORY;
	}
	do
	{
		ribbon_system_init(system, RIBBON_SYSTEM_ZONE, n + spare, zone->width,
						   whole, 0);
		slots->end = begin;
		if (status == RIBBON_OK)
			status = ribbon_bytes_extend(env, slots, ribbon_icml_bytes(system),
										 &place);
		if (status == RIBBON_OK && !solved)
			status = few ?
				try_dense(env, zone, system, place, &solved) :
				try_seeds(env, zone, &banding, system, place, &solved);
		spare += 1 + spare / 8;
	} while (status == RIBBON_OK && !solved && zone->tries > 0 &&
			 !(few && n + spare > RIBBON_DENSE_SLOTS));
	ribbon_free(env, banding.sweep);
	ribbon_free(env, banding.ordered);
	return status == RIBBON_OK && !solved ? RIBBON_SUSPICIOUS : status;
}
