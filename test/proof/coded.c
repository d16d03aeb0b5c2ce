/*
 * coded.c - prove that a map whose codes are by frequency is asked for planes
 * that it has, and for entries of its table (probe/coded.c)
 */
#include "loads.h"
#include "probe/coded.c"

static RibbonOpened plans[2]; /* the first one, and the one that was come to */
static RibbonCodes codes;
static unsigned nbehind; /* planes that have been gone to */

static void
map_codes(void)
{
	RibbonCodes any;

	codes = any;
	codes.front = nondet_bool();
	assume(codes_contract(&codes));
}

/*
 * Is this a path that goes on from the level before, or has begun?  Such are
 * the paths of which level_contract says where they end.
 */
static bool
path_contract(unsigned level, uint64_t path)
{
	return path >= codes.levels[level].first &&
		path >> codes.levels[level].length == 0;
}

/*
 * PROVE	ribbon_codes_end, ribbon_codes_level_bits: a path is a code, or goes
 *			on at the next level; at the last level it is one
 * FOR		codes of up to 32 bits, the second level of any (which one it is
 *			makes no difference)
 * UNWIND	1
 */
void
prove_codes_end(void)
{
	const unsigned level = 1;
	uint64_t path = nondet_uint64();
	uint64_t more = nondet_uint64();
	uint32_t entry;

	map_codes();
	assume(level < codes.nlevels && level_contract(&codes, level) &&
		   path_contract(level, path));
	if (ribbon_codes_end(&codes, level, path, &entry))
		prove(entry < ribbon_codes_entries(&codes));
	else
	{
		unsigned nbits = ribbon_codes_level_bits(&codes, level + 1);

		prove(level + 1 < codes.nlevels && nbits <= RIBBON_LONGEST_CODE);
		assume(more >> nbits == 0);
		prove(path_contract(level + 1, path << nbits | more));
	}
}

/*
 * PROVE	ribbon_system_answer: a code has as many bits as values have
 * FOR		systems of up to 56 columns
 * UNWIND	1
 */
void
prove_answer(void)
{
	RibbonSystem system = any_system(any_width());
	uint64_t hash = nondet_uint64();
	uint64_t code;

	ribbon_system_answer(&system, nondet_unsigned(),
						 ribbon_system_bits(&system, hash), nondet_uint64(),
						 &code);
	prove(code >> system.value_bits == 0);
}

/* ribbon_opened_codes, ribbon_opened_next */
const RibbonCodes *
any_codes_of(const RibbonOpened *first)
{
	prove(first == &plans[0]);
	return &codes;
}

/* Planes behind the first one: the filter in front, if any, and the levels. */
const RibbonOpened *
any_plan_behind(const RibbonOpened *opened)
{
	prove(opened == &plans[nbehind > 0]);
	nbehind++;
	prove(nbehind < codes.nlevels + codes.front);
	plans[1].plane.value_bits = codes.front && nbehind == 1 ?
		0 :
		ribbon_codes_level_bits(&codes, nbehind - codes.front);
	return &plans[1];
}

/* What a plane answers, and the path that follows. */
static uint64_t path_so_far;

static uint64_t
any_path(unsigned value_bits)
{
	uint64_t more = nondet_uint64();

	assume(more >> value_bits == 0);
	path_so_far = path_so_far << value_bits | more;
	return more;
}

static bool
find_any(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	(void) hash;
	prove(opened == &plans[nbehind > 0]);
	*code = any_path(opened->plane.value_bits);
	return nondet_bool();
}

/* ribbon_codes_end, as proved above */
bool
any_end(const RibbonCodes *its, unsigned level, uint64_t path, uint32_t *entry)
{
	prove(its == &codes && level < codes.nlevels);
	prove(level + codes.front == nbehind && path == path_so_far);
	*entry = nondet_unsigned();
	if (level + 1 < codes.nlevels && nondet_bool())
		return false;
	assume(*entry < ribbon_codes_entries(&codes));
	return true;
}

/* value_of, ribbon_codes_value */
uint64_t
any_value(const RibbonOpened *first, const RibbonCodes *its, uint32_t entry)
{
	prove(first == &plans[0] && its == &codes);
	prove(entry < ribbon_codes_entries(&codes));
	return nondet_uint64();
}

uint64_t
any_value_of(const RibbonCodes *its, uint32_t entry)
{
	return any_value(&plans[0], its, entry);
}

static const uint8_t *
fetch_entry(void *arg, uint64_t at, size_t size)
{
	const uint8_t *bytes = malloc(size);

	(void) arg;
	prove(size >= 1 && size <= RIBBON_MAX_SLICE && at >= codes.table_at);
	prove(at - codes.table_at + size <= ribbon_codes_table_bytes(&codes));
	assume(bytes != NULL);
	return bytes;
}

/* An entry of any table.  (What is constant makes products easy.) */
static void
value_of_bits(unsigned entry_bits)
{
	RibbonCodes any;
	uint32_t entry = nondet_unsigned();

	any.front = nondet_bool();
	any.entry_bits = entry_bits;
	codes = any;
	assume(codes.ncodes <= RIBBON_MAX_CODES && codes.table_at <= INT64_MAX);
	assume(entry < ribbon_codes_entries(&codes));
	codes.table = malloc(ribbon_codes_table_bytes(&codes));
	assume(codes.table != NULL);
	plans[0].fetch = nondet_bool() ? fetch_entry : NULL;
	value_of(&plans[0], &codes, entry);
}

/*
 * PROVE	value_of, ribbon_codes_value
 * FOR		tables of up to 2^18 entries of 1, 13 or 64 bits, in memory and in
 *			slices
 * UNWIND	1
 * REPLACE	ribbon_load_bits:any_load_bits
 */
void
prove_code_value(void)
{
	if (nondet_bool())
		value_of_bits(1);
	else if (nondet_bool())
		value_of_bits(13);
	else
		value_of_bits(64);
}

/* The codes of an opened map, of so many levels at most. */
static void
any_coded_map(unsigned most)
{
	map_codes();
	assume(codes.nlevels <= most);
	for (unsigned i = 1; i < most; i++)
		assume(i >= codes.nlevels ||
			   (codes.levels[i].length > codes.levels[i - 1].length &&
				codes.levels[i].length <= RIBBON_LONGEST_CODE));
	plans[0].plane.value_bits = codes.front ? 0 : codes.levels[0].length;
	plans[0].find = plans[1].find = find_any;
}

/*
 * PROVE	ribbon_coded_get
 * FOR		codes of up to 32 bits, all of their levels
 * UNWIND	34
 * REPLACE	ribbon_opened_codes:any_codes_of ribbon_opened_next:any_plan_behind
 *			ribbon_codes_end:any_end value_of:any_value
 */
void
prove_coded_get(void)
{
	uint64_t code;

	any_coded_map(RIBBON_MAX_LEVELS);
	ribbon_coded_get(&plans[0], nondet_uint64(), &code);
}

/*
 * Of a batch, hashes are the numbers of keys.  For each key, the path it has
 * taken; and the keys whose paths will be asked for next, in this order.
 */
#define FEW_HASHES 1
#define FEW_LEVELS 8

static uint64_t paths[FEW_HASHES];
static uint64_t order[FEW_HASHES];
static unsigned nordered, nasked;

static void
ask_for(uint64_t key)
{
	order[nordered++] = key;
}

/* ribbon_batches_find, behind the first plane */
void
any_batch(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
		  bool *answers, uint64_t *values)
{
	bool is_front = codes.front && nbehind == 1;

	prove(opened == &plans[1] && n <= FEW_HASHES);
	nordered = nasked = 0;
	for (unsigned i = 0; i < n; i++)
	{
		prove(hashes[i] < FEW_HASHES);
		path_so_far = paths[hashes[i]];
		values[i] = any_path(opened->plane.value_bits);
		paths[hashes[i]] = path_so_far;
		answers[i] = nondet_bool();
		if (answers[i] || !is_front)
			ask_for(hashes[i]);
	}
}

bool
any_end_of(const RibbonCodes *its, unsigned level, uint64_t path,
		   uint32_t *entry)
{
	prove(nasked < nordered);
	path_so_far = paths[order[nasked++]];
	return any_end(its, level, path, entry);
}

/*
 * PROVE	ribbon_coded_finish
 * FOR		batches of a hash, codes of up to 8 lengths
 * UNWIND	9
 * REPLACE	ribbon_opened_codes:any_codes_of ribbon_opened_next:any_plan_behind
 *			ribbon_batches_find:any_batch ribbon_codes_end:any_end_of
 *			ribbon_codes_value:any_value_of
 */
void
prove_coded_finish(void)
{
	uint64_t hashes[FEW_HASHES];
	unsigned n = nondet_unsigned();
	bool *found;
	uint64_t *values;

	assume(n <= FEW_HASHES);
	any_coded_map(FEW_LEVELS);
	found = malloc(n);
	values = malloc(n * sizeof(*values));
	assume(found != NULL && values != NULL);
	for (unsigned i = 0; i < n; i++)
	{
		hashes[i] = i;
		found[i] = nondet_bool();
		path_so_far = 0;
		paths[i] = values[i] = any_path(plans[0].plane.value_bits);
		if (found[i] && !codes.front)
			ask_for(i);
	}
	ribbon_coded_finish(&plans[0], hashes, n, found, values);
}
