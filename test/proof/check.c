/*
 * check.c - prove that a value is checked within its bytes (inspect/check.c)
 */
#include "inspect/check.c"

#include "format/buckets.c"
#include "format/codes.c"
#include "solve/rate.c"
#include "loads.h"

#define FEW_BUCKETS 4

static bool
any_interrupt(void *arg)
{
	(void) arg;
	return nondet_bool();
}

static void
check_layer_of(unsigned width)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	RibbonSystem layer = any_system(width);
	RibbonPlane plane;

	plane.nlayers = 1;
	plane.buckets = ribbon_buckets_of_scheme(width, nondet_bool());
	assume(layer.nslots >= width);
	assume(ribbon_buckets_count(&layer, &plane.buckets) <= FEW_BUCKETS);
	layer.thresholds = malloc(ribbon_buckets_threshold_bytes(&layer,
															 &plane.buckets));
	assume(layer.thresholds != NULL);
	plane.systems[0] = layer;
	check_layer(&env, &plane, 0);
}

/*
 * PROVE	check_layer
 * FOR		layers of up to four buckets, each width and scheme
 * UNWIND	5
 */
void
prove_check_layer(void)
{
	if (nondet_bool())
		check_layer_of(32);
	else if (nondet_bool())
		check_layer_of(64);
	else
		check_layer_of(128);
}

/*
 * PROVE	check_padding
 * FOR		systems of up to 2^10 slots, of up to 8 columns
 * UNWIND	1
 */
void
prove_check_padding(void)
{
	RibbonSystem system = any_system(any_width());

	assume(system.nslots <= FEWER_SLOTS);
	assume(system.ncolumns + (system.wide > 0) <= FEWER_COLUMNS);
	system.slots = malloc(ribbon_icml_bytes(&system));
	assume(system.slots != NULL);
	check_padding(&system);
}

/*
 * PROVE	ribbon_codes_check
 * FOR		up to 3 codes of up to 2 lengths
 * UNWIND	4
 * REPLACE	ribbon_load_bits:any_load_bits
 */
void
prove_codes_check(void)
{
	RibbonCodes codes;

	codes.front = nondet_bool();
	assume(codes_contract(&codes) && codes.nlevels <= 2 && codes.ncodes <= 3);
	for (unsigned i = 0; i < 2; i++)
		assume(i >= codes.nlevels || level_contract(&codes, i));
	codes.table = malloc(ribbon_codes_table_bytes(&codes));
	assume(codes.table != NULL);
	ribbon_codes_check(&codes);
}

static void
rows_of(unsigned width)
{
	Count count;
	Rows rows;
	RibbonSystem system;
	uint64_t slot = nondet_uint64();
	unsigned n = nondet_unsigned();

	system.width = (uint8_t) width;
	system.ncolumns = 1;
	assume(system_contract(&system) && system.nslots > 0 &&
		   system.nslots <= FEWER_SLOTS);
	assume(slot < system.nslots && n >= 1 && n <= system.nslots - slot &&
		   n <= system.row_bits);
	system.slots = malloc(ribbon_icml_bytes(&system));
	assume(system.slots != NULL);
	count.system = &system;
	count.result_bits = 1 + (slot / width >= system.wide_block);
	load_rows(&count, slot, n, &rows);
}

/*
 * PROVE	load_rows, by which a homogeneous filter's rate is counted
 * FOR		systems of up to 2^10 slots, of a column or two
 * UNWIND	3
 * REPLACE	ribbon_load64:any_load64 ribbon_load_bits:any_load_bits
 */
void
prove_rows(void)
{
	if (nondet_bool())
		rows_of(32);
	else if (nondet_bool())
		rows_of(64);
	else
		rows_of(128);
}

/*
 * Starts that are counted: of a system, and from the first of these to behind
 * the last one.
 */
static RibbonSystem counted;
static uint64_t first_start, end_start;

static void
any_count(Count *count)
{
	counted = any_system(any_width());
	assume(counted.nslots > 0);
	count->system = &counted;
	count->result_bits = nondet_unsigned();
	assume(count->result_bits <= RIBBON_MAX_RESULT_BITS);
	first_start = nondet_uint64();
	end_start = nondet_uint64();
	assume(first_start <= end_start && end_start <= counted.nstarts);
}

/* load_rows: of slots that there are */
void
any_rows(const Count *count, uint64_t slot, unsigned n, Rows *rows)
{
	prove(count->system == &counted);
	prove(n >= 1 && n <= counted.row_bits && slot >= first_start);
	prove(slot < counted.nslots && n <= counted.nslots - slot);
	rows->has_high = n > 64;
}

/*
 * PROVE	are_full, count_one
 * FOR		systems of up to 2^51 slots, of up to 4 columns
 * UNWIND	5
 * REPLACE	load_rows:any_rows
 */
void
prove_rank(void)
{
	Count count;
	uint64_t start = nondet_uint64();
	unsigned n = nondet_unsigned();

	any_count(&count);
	assume(count.result_bits <= 4);
	assume(start >= first_start && start < end_start);
	assume(n >= 1 && n <= end_start - start);
	if (n > 1 && n < counted.row_bits)
		are_full(&count, start, n);
	else
		count_one(&count, start);
}

/* count_starts of fewer, or of a run */
static unsigned most_of_run;

void
any_starts(Count *count, uint64_t start, unsigned n)
{
	(void) count;
	prove(n >= 1 && n <= most_of_run);
	prove(n == 1 || n < counted.row_bits);
	prove(start >= first_start && start < end_start);
	prove(n <= end_start - start);
}

bool
any_full(const Count *count, uint64_t start, unsigned n)
{
	any_starts((Count *) count, start, n);
	return nondet_bool();
}

void
any_one(Count *count, uint64_t start)
{
	any_starts(count, start, 1);
}

/*
 * PROVE	count_starts: it counts halves of a run, which are smaller
 * FOR		systems of up to 2^51 slots, runs of starts of any number
 * UNWIND	1
 * REPLACE	count_starts:any_starts are_full:any_full count_one:any_one
 */
void
prove_halves(void)
{
	void (*count_them)(Count *, uint64_t, unsigned) = count_starts;
	Count count;
	uint64_t start = nondet_uint64();
	unsigned n = nondet_unsigned();

	any_count(&count);
	assume(start >= first_start && start < end_start);
	assume(n >= 1 && n <= end_start - start);
	assume(n == 1 || n < counted.row_bits);
	most_of_run = n;
	count_them(&count, start, n);
}

/*
 * PROVE	count_range, most_starts
 * FOR		systems of up to 2^51 slots, of which three runs of starts are
 *			counted
 * UNWIND	4
 * REPLACE	count_starts:any_starts
 */
void
prove_runs(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	Count count;

	any_count(&count);
	most_of_run = most_starts(&count);
	prove(most_of_run >= 1);
	assume(end_start - first_start <= 3 * most_of_run);
	count_range(&env, &count, first_start, end_start);
}

/* sum_range: of the starts that there are, and as many columns */
RibbonStatus
any_sum(const RibbonEnv *env, const RibbonSystem *system, unsigned result_bits,
		uint64_t begin, uint64_t end, double *sum)
{
	(void) env;
	prove(system == &counted && result_bits <= RIBBON_MAX_RESULT_BITS);
	prove(begin <= end && end <= counted.nstarts);
	*sum = 0;
	return nondet_bool() ? RIBBON_OK : RIBBON_INTERRUPTED;
}

/*
 * PROVE	ribbon_rate_count
 * FOR		systems of up to 2^51 slots
 * UNWIND	1
 * REPLACE	sum_range:any_sum
 */
void
prove_rate_count(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	RibbonResultBits result_bits = {nondet_unsigned(), nondet_unsigned()};
	Count count;
	double rate;

	any_count(&count);
	assume(result_bits.bits <= 32 && result_bits.wide < RIBBON_SHARES);
	assume(result_bits.bits < 32 || result_bits.wide == 0);
	ribbon_rate_count(&env, &counted, result_bits, &rate);
}

/* What a plane is checked by: check_layer, check_padding, ribbon_rate_excess */
static RibbonPlane plane;

static RibbonStatus
any_status(void)
{
	return nondet_bool() ? RIBBON_OK : RIBBON_BAD_PADDING;
}

RibbonStatus
any_layer_check(const RibbonEnv *env, const RibbonPlane *its, unsigned i)
{
	(void) env;
	prove(its == &plane && i < plane.nlayers);
	return any_status();
}

RibbonStatus
any_padding_check(const RibbonSystem *system)
{
	prove((size_t) (system - plane.systems) < ribbon_plane_nsystems(&plane));
	return any_status();
}

RibbonStatus
any_excess(const RibbonEnv *env, const RibbonSystem *system,
		   RibbonResultBits result_bits, double *probability)
{
	(void) env;
	prove(system == plane.systems && ribbon_plane_nsystems(&plane) > 0);
	prove(result_bits.bits == plane.check.bits);
	*probability = 0;
	return any_status();
}

/* ribbon_result_bits_fpr, ribbon_inspect_plane_fpr, ribbon_dependence_rate */
double
any_chance(RibbonResultBits result_bits)
{
	return result_bits.bits;
}

double
any_stated(const RibbonPlane *its)
{
	return its->nkeys;
}

double
any_rate_of(double probability, double chance)
{
	return probability + chance;
}

/*
 * PROVE	check_plane, check_rate
 * FOR		planes of any layers and zones
 * UNWIND	40
 * REPLACE	check_layer:any_layer_check check_padding:any_padding_check
 *			ribbon_rate_excess:any_excess ribbon_result_bits_fpr:any_chance
 *			ribbon_inspect_plane_fpr:any_stated
 *			ribbon_dependence_rate:any_rate_of
 */
void
prove_check_plane(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};

	plane.nlayers = nondet_unsigned();
	plane.nzones[0] = nondet_unsigned();
	plane.nzones[1] = nondet_unsigned();
	plane.kind = nondet_bool() ? RIBBON_HOMOGENEOUS : RIBBON_BURR;
	plane.check.bits = nondet_unsigned();
	assume(plane.nlayers <= RIBBON_MAX_LAYERS);
	assume(plane.nzones[0] <= RIBBON_MAX_ZONES &&
		   plane.nzones[1] <= RIBBON_MAX_ZONES);
	assume(plane.kind == RIBBON_BURR || ribbon_plane_nsystems(&plane) == 1);
	check_plane(&env, &plane);
}

/* The planes of an opened value, one after the other */
static RibbonOpened planes[RIBBON_MAX_LEVELS + 1];
static unsigned nplanes, nchecked;
static RibbonCodes codes;

const RibbonOpened *
any_first(const RibbonFilter *filter)
{
	(void) filter;
	return planes;
}

const RibbonOpened *
any_plane_behind(const RibbonOpened *its)
{
	size_t i = (size_t) (its - planes) + 1;

	prove(i <= nplanes);
	return i < nplanes ? its + 1 : NULL;
}

const RibbonCodes *
any_codes_of(const RibbonOpened *first)
{
	prove(first == planes);
	return nondet_bool() ? &codes : NULL;
}

RibbonStatus
any_codes_check(const RibbonCodes *its)
{
	prove(its == &codes);
	return any_status();
}

RibbonStatus
any_plane_check(const RibbonEnv *env, const RibbonPlane *its)
{
	(void) env;
	prove(its == &planes[nchecked].plane && nchecked < nplanes);
	nchecked++;
	return any_status();
}

/*
 * PROVE	ribbon_check: each plane that was opened, and the codes
 * FOR		values of up to 34 planes
 * UNWIND	35
 * REPLACE	check_plane:any_plane_check ribbon_codes_check:any_codes_check
 *			ribbon_opened:any_first ribbon_opened_next:any_plane_behind
 *			ribbon_opened_codes:any_codes_of
 */
void
prove_check(void)
{
	RibbonEnv env = {.interrupted = any_interrupt};
	static RibbonFilter filter;

	nplanes = nondet_unsigned();
	assume(nplanes >= 1 && nplanes <= RIBBON_MAX_LEVELS + 1);
	if (ribbon_check(&env, &filter) == RIBBON_OK)
		prove(nchecked == nplanes);
}
