/*
 * batch.c - prove that batches read a layer within the value's bytes, and the
 * ends of systems within the copies of them (probe/stage.c,
 * probe/kernel_place.h, probe/kernel_batch.h, probe/kernel_column.h)
 *
 * Kernels with vectors compute the lanes of a batch by these sources, too.  The
 * portable kernel is followed here.
 */
#include "loads.h"
#include "lanes.h"
#include "probe/kernel_portable.c"
#include "probe/prepare.c"
#include "probe/stage.c"

#include "format/buckets.c"

static uint64_t most_slots = FEWER_SLOTS;

static RibbonOpened opened;
static RibbonStage stage;
static RibbonBatch batch;

/* memcpy */
void *
any_copy(void *to, const void *from, size_t n)
{
	prove(n == 0 || __CPROVER_r_ok(from, n));
	prove(n == 0 || __CPROVER_w_ok(to, n));
	return to;
}

/* ribbon_store64 */
void
any_store64(uint8_t *p, uint64_t x)
{
	(void) x;
	prove(__CPROVER_w_ok(p, 8));
}

/* Where blocks begin that are copied, and how many bytes they become. */
static inline uint64_t
end_begins(const RibbonSystem *system)
{
	return ribbon_icml_block_bit(system, system->whole / system->width) / 8;
}

static inline uint64_t
end_bytes(const RibbonSystem *system)
{
	uint64_t nblocks = (system->nslots + system->width - 1) / system->width;

	return ribbon_icml_block_bit(system, nblocks) / 8 - end_begins(system);
}

/*
 * A plane of one system of so many columns, which has been prepared as
 * ribbon_prepare does.  (What is constant makes products easy.)
 */
static void
any_plane_of_one(unsigned width, unsigned columns)
{
	RibbonPlane *plane = &opened.plane;
	RibbonSystem system;

	system.width = (uint8_t) width;
	system.ncolumns = (uint8_t) columns;
	assume(system_contract(&system));
	assume(system.nslots >= 1 && system.nslots <= most_slots);
	plane->width = width;
	plane->nlayers = nondet_bool();
	plane->kind = plane->nlayers == 0 && nondet_bool() ? RIBBON_HOMOGENEOUS :
														 RIBBON_BURR;
	assume(plane->nlayers == 0 || system.nslots >= width);
	plane->check.bits = columns;
	plane->check.wide = system.wide;
	plane->nzones[0] = 1;
	plane->total_bytes = nondet_uint64();
	assume(plane->total_bytes >= ribbon_icml_bytes(&system) &&
		   plane->total_bytes < most_slots << 7);
	system.slots = malloc(plane->total_bytes);
	assume(system.slots != NULL);
	plane->bytes = system.slots;
	if (plane->nlayers > 0)
	{
		plane->buckets = ribbon_buckets_of_scheme(width, nondet_bool());
		opened.bucket_mask = (1u << plane->buckets.log2_size) - 1;
		/* with as many bytes behind as slots take at least: see locate.c */
		system.thresholds =
			malloc(ribbon_buckets_threshold_bytes(&system, &plane->buckets) +
				   4);
		assume(system.thresholds != NULL);
	}
	else /* one zone, and so none that is wide, or a homogeneous filter */
		assume(plane->kind == RIBBON_HOMOGENEOUS || system.wide == 0);
	system.whole = blocks_whole(&system, plane->total_bytes);
	plane->systems[0] = system;
}

static void
copy_end_of(unsigned width, unsigned columns)
{
	const RibbonSystem *system = &opened.plane.systems[0];
	uint8_t *to;

	any_plane_of_one(width, columns);
	to = malloc(end_bytes(system) + 8);
	assume(to != NULL);
	copy_end(&opened.plane, system, end_begins(system), to);
}

/*
 * PROVE	copy_end, w = 32
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	memcpy:any_copy ribbon_load64:any_load64 ribbon_store64:any_store64
 */
void
prove_copy_end32(void)
{
	copy_end_of(32, 1);
}

/*
 * PROVE	copy_end, w = 64
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	memcpy:any_copy ribbon_load64:any_load64 ribbon_store64:any_store64
 */
void
prove_copy_end64(void)
{
	copy_end_of(64, 1);
}

/*
 * PROVE	copy_end, w = 128
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	memcpy:any_copy ribbon_load64:any_load64 ribbon_store64:any_store64
 */
void
prove_copy_end128(void)
{
	copy_end_of(128, 1);
}

/* copy_end; behind the last copy there is room for what is read in vain */
static const uint8_t *room_ends;

void
any_end_copied(const RibbonPlane *plane, const RibbonSystem *system,
			   uint64_t begin, uint8_t *to)
{
	(void) plane;
	prove(begin == end_begins(system));
	prove(to >= stage.ends &&
		  to + end_bytes(system) <= stage.ends + RIBBON_ENDS_BYTES);
	room_ends = to + end_bytes(system) + RIBBON_ENDS_BEHIND;
}

/* lanes_mulhi: as ribbon_mulhi */
Lanes
any_lanes_mulhi(Lanes a, Lanes b)
{
	return any_mulhi(a, b);
}

/* probe32_columns and others: eight columns of two blocks, of w bits each */
static uint32_t
any_eight_columns(const uint8_t *low, const uint8_t *high, unsigned width)
{
	prove(__CPROVER_r_ok(low, width) && __CPROVER_r_ok(high, width));
	prove(!__CPROVER_same_object(low, &stage) ||
		  (low >= stage.ends && high >= low && high + width <= room_ends));
	return nondet_byte();
}

uint32_t
any_columns32(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
			  uint64_t start)
{
	(void) row;
	(void) start;
	return any_eight_columns(low, high, 32);
}

uint32_t
any_columns64(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
			  uint64_t start)
{
	(void) row;
	(void) start;
	return any_eight_columns(low, high, 64);
}

uint32_t
any_columns128(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
			   uint64_t start)
{
	(void) row;
	(void) start;
	return any_eight_columns(low, high, 128);
}

/* A hash in a layer, a zone, or a homogeneous filter. */
static void
batch_of(unsigned width, unsigned columns, RibbonFindBatch *find)
{
	uint64_t hash = nondet_uint64();
	unsigned nhashes = nondet_unsigned();
	bool found;
	uint64_t result;

	any_plane_of_one(width, columns);
	opened.far = nondet_bool();
	assume(nhashes >= 1 && nhashes <= RIBBON_BATCH);
	if (!ribbon_stage_set(&stage, &opened, 0, nhashes, nondet_bool()))
		return;
	batch.hashes = &hash;
	batch.nhashes = 1;
	batch.found = &found;
	batch.results = &result;
	find(&opened, &stage, &batch);
}

/*
 * PROVE	ribbon_stage_set, batch_layer, w = 32
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_hash_coeff:any_coeff
 *			probe32_columns:any_columns32
 */
void
prove_batch32(void)
{
	batch_of(32, 1, any32_batch);
}

/*
 * PROVE	batch_layer where ends may be open, w = 32
 * FOR		systems of up to 2^11 slots, of a column or two
 * UNWIND	4
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_hash_coeff:any_coeff
 *			probe32_columns:any_columns32
 */
void
prove_batch32_open(void)
{
	most_slots = 2 * FEWER_SLOTS;
	batch_of(32, 1, any32_batch);
}

/*
 * PROVE	ribbon_stage_set, batch_layer, w = 64
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_hash_coeff:any_coeff
 *			probe64_columns:any_columns64
 */
void
prove_batch64(void)
{
	batch_of(64, 1, any64_batch);
}

/*
 * PROVE	ribbon_stage_set, batch_layer, w = 128
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	4
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_hash_coeff:any_coeff
 *			probe128_columns:any_columns128
 */
void
prove_batch128(void)
{
	batch_of(128, 1, any128_batch);
}

/*
 * PROVE	ribbon_stage_set, batch_layer, also in two steps, w = 64
 * FOR		systems of up to 2^10 slots, of 17 columns or 18
 * UNWIND	8
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_hash_coeff:any_coeff
 *			probe64_columns:any_columns64
 */
void
prove_batch64_of_17(void)
{
	batch_of(64, 17, any64_batch);
}

static void
column_batch_of(unsigned width)
{
	uint64_t hash = nondet_uint64();
	unsigned nhashes = nondet_unsigned();
	bool found;
	uint64_t result;

	opened.plane.value_bits = 1;
	any_plane_of_one(width, 1);
	opened.plane.check = (RibbonResultBits){0, 0};
	assume(opened.plane.systems[0].wide == 0 && opened.plane.nlayers > 0);
	opened.plane.systems[0].whole = column_whole(&opened.plane.systems[0],
												 opened.plane.total_bytes);
	assume(nhashes >= 1 && nhashes <= RIBBON_BATCH);
	if (!ribbon_stage_set(&stage, &opened, 0, nhashes, nondet_bool()))
		return;
	batch.hashes = &hash;
	batch.nhashes = 1;
	batch.found = &found;
	batch.results = &result;
	column_batch(&opened, &stage, &batch);
}

/*
 * PROVE	ribbon_stage_set, column_batch
 * FOR		layers of up to 2^10 slots, of one value bit
 * UNWIND	3
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			ribbon_load32:any_load32 ribbon_load64:any_load64
 *			ribbon_parity64:any_parity64
 */
void
prove_column_batch(void)
{
	if (nondet_bool())
		column_batch_of(32);
	else if (nondet_bool())
		column_batch_of(64);
	else
		column_batch_of(128);
}

/* batch_zones: the second zone is wide, and has hashes of its own */
Lanes
any_zones_of(const RibbonOpened *its, Lanes *hashes)
{
	uint64_t zone = nondet_bool();

	prove(its->plane.split == 1);
	*hashes = nondet_uint64();
	return zone;
}

/* Two zones, of which the second one has a column more. */
static void
zones_of(unsigned width, unsigned columns, RibbonFindBatch *find)
{
	uint64_t hash = nondet_uint64();
	unsigned nhashes = nondet_unsigned();
	bool found;
	uint64_t result;
	RibbonPlane *plane = &opened.plane;
	RibbonSystem second;

	any_plane_of_one(width, columns);
	assume(plane->nlayers == 0 && plane->kind == RIBBON_BURR);
	plane->nzones[1] = 1;
	plane->split = plane->check.wide = 1;
	second.width = (uint8_t) width;
	second.ncolumns = (uint8_t) (columns + 1);
	assume(system_contract(&second) && second.wide == 0);
	assume(second.nslots >= 1 && second.nslots <= FEWER_SLOTS);
	assume(second.groups == plane->systems[0].groups);
	second.slots = malloc(plane->total_bytes);
	assume(second.slots != NULL);
	assume(plane->total_bytes >= ribbon_icml_bytes(&second));
	second.whole = blocks_whole(&second, plane->total_bytes);
	plane->systems[1] = second;
	prove(zones_are_alike(plane));
	assume(nhashes >= 1 && nhashes <= RIBBON_BATCH);
	if (!ribbon_stage_set(&stage, &opened, 0, nhashes, nondet_bool()))
		return;
	batch.hashes = &hash;
	batch.nhashes = 1;
	batch.found = &found;
	batch.results = &result;
	find(&opened, &stage, &batch);
}

/*
 * PROVE	ribbon_stage_set, batch_layer in zones, w = 64
 * FOR		two zones of up to 2^10 slots, of a column and of two
 * UNWIND	4
 * REPLACE	copy_end:any_end_copied lanes_mulhi:any_lanes_mulhi
 *			batch_zones:any_zones_of ribbon_hash_coeff:any_coeff
 *			probe64_columns:any_columns64
 */
void
prove_batch_zones(void)
{
	zones_of(64, 1, any64_batch);
}

/* batch_place, batch_result_bits: first the one, then the other */
static unsigned nplaced, nread;

void
any_place(const RibbonOpened *its, const RibbonStage *its_stage,
		  RibbonBatch *its_batch, RibbonPlaces *places, unsigned k,
		  BatchConstants is, RibbonVariant v)
{
	(void) its;
	(void) its_stage;
	(void) is;
	(void) v;
	prove(k < places->n && places->n < 2 * RIBBON_AHEAD);
	prove(places->first + k == nplaced && nplaced < its_batch->nhashes);
	places->lows[k] = places->highs[k] = (uintptr_t) &stage;
	nplaced++;
}

uint64_t
any_result_bits(const RibbonPlaces *places, unsigned k, RibbonIcmlPair at,
				unsigned ngroups, RibbonVariant v)
{
	(void) at;
	(void) ngroups;
	(void) v;
	prove(places->first + k == nread && k < places->n && nread < nplaced);
	nread++;
	return nondet_uint64();
}

/* batch_prefetch_pair: of hashes whose places are known */
void
any_prefetch(const RibbonPlaces *places, unsigned k, bool is_even,
			 size_t block_bytes, RibbonVariant v)
{
	(void) is_even;
	(void) block_bytes;
	(void) v;
	prove(k < places->n && places->first + k < nplaced);
}

#define FEW_HASHES (2 * RIBBON_AHEAD + 2)

/*
 * PROVE	batch_layer: places of all hashes are found, before they are read
 * FOR		a batch of 34 hashes
 * UNWIND	35
 * REPLACE	batch_place:any_place batch_result_bits:any_result_bits
 *			batch_prefetch_pair:any_prefetch
 */
void
prove_batch_order(void)
{
	uint64_t hashes[FEW_HASHES], results[FEW_HASHES];
	bool found[FEW_HASHES];

	opened.far = nondet_bool();
	opened.plane.check.bits = 1;
	opened.plane.systems[0].groups = nondet_bool() ? 1 : 2;
	stage.systems = opened.plane.systems;
	stage.is_last = nondet_bool();
	batch.hashes = hashes;
	batch.nhashes = FEW_HASHES;
	batch.found = found;
	batch.results = results;
	any64_batch(&opened, &stage, &batch);
	prove(nplaced == batch.nhashes && nread == batch.nhashes);
}
