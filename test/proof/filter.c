/*
 * filter.c - prove that a filter probes only planes that it has, and puts their
 * answers together within the caller's arrays (probe/filter.c)
 */
#include "contracts.h"
#include "probe/filter.c"

#include <stdlib.h>

static RibbonFilter filter;
static RibbonOpened plans[RIBBON_PLAIN_PLANES];
static unsigned nplans;

/* ribbon_opened, ribbon_opened_next */
const RibbonOpened *
first_plan(const RibbonFilter *its)
{
	prove(its == &filter);
	return &plans[0];
}

const RibbonOpened *
next_plan(const RibbonOpened *opened)
{
	prove((unsigned) (opened - plans) + 1 < nplans);
	return opened + 1;
}

static bool
find_any(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	(void) hash;
	prove((unsigned) (opened - plans) < nplans);
	*code = nondet_uint64();
	return nondet_bool();
}

/* What ribbon_open leaves of a value without codes by frequency. */
static void
any_filter(void)
{
	nplans = 1 + nondet_bool();
	filter.is_exact = nondet_bool();
	filter.has_values = nondet_bool();
	for (unsigned i = 0; i < nplans; i++)
	{
		plans[i].find = find_any;
		plans[i].inverted = nondet_bool();
		plans[i].masked = nondet_bool();
		plans[i].plane.value_bits = nondet_unsigned();
		assume(plans[i].plane.value_bits <= RIBBON_MAX_COLUMNS);
	}
	plans[0].next = nplans > 1 ? sizeof(RibbonOpened) : 0;
	assume(!(filter.is_exact && filter.has_values));
	assume(filter.is_exact || filter.has_values ||
		   plans[0].plane.value_bits == 0);
	assume(nplans == 1 || filter.has_values ||
		   (filter.is_exact && plans[0].plane.value_bits == 0));
}

/*
 * PROVE	ribbon_filter_prepare, and contains and get as it chooses them
 * FOR		filters, maps and exact sets without codes by frequency
 * UNWIND	3
 * REPLACE	ribbon_opened:first_plan ribbon_opened_next:next_plan
 */
void
prove_filter(void)
{
	uint64_t code;

	any_filter();
	ribbon_filter_prepare(&filter);
	if (nondet_bool())
		filter.inside.contains(&plans[0], nondet_uint64(), &code);
	else
		filter.inside.get(&plans[0], nondet_uint64(), &code);
}

/* ribbon_batches_find */
void
any_batch(const RibbonOpened *opened, const uint64_t *hashes, size_t n,
		  bool *answers, uint64_t *codes)
{
	prove((unsigned) (opened - plans) < nplans);
	prove(__CPROVER_r_ok(hashes, n * sizeof(*hashes)));
	prove(__CPROVER_w_ok(answers, n));
	prove(codes == NULL || __CPROVER_w_ok(codes, n * sizeof(*codes)));
}

/* RibbonInside.finish */
static void
any_finish(const RibbonOpened *first, const uint64_t *hashes, unsigned n,
		   bool *answers, uint64_t *codes)
{
	prove(first == &plans[0] && n <= RIBBON_BATCH && codes != NULL);
	any_batch(first, hashes, n, answers, codes);
}

/* Arrays of a caller: as long as is said, and not longer. */
static const uint64_t *hashes;
static bool *answers;
static uint64_t *codes;

static void
any_arrays(size_t n)
{
	hashes = malloc(n * sizeof(*hashes));
	answers = malloc(n * sizeof(*answers));
	codes = malloc(n * sizeof(*codes));
	assume(hashes != NULL && answers != NULL && codes != NULL);
}

#define ROUNDS 3

/*
 * PROVE	find_in_rounds
 * FOR		up to three rounds of hashes
 * UNWIND	4
 * REPLACE	ribbon_opened:first_plan ribbon_batches_find:any_batch
 */
void
prove_rounds(void)
{
	size_t n = nondet_size();

	assume(n <= ROUNDS * RIBBON_BATCH);
	any_filter();
	any_arrays(n);
	filter.inside.finish = nondet_bool() ? any_finish : NULL;
	find_in_rounds(&filter, hashes, n, answers, nondet_bool() ? codes : NULL);
}

#define FEW_HASHES 4

/*
 * PROVE	ribbon_contains_batch, ribbon_get_batch, finish_from_both,
 *			finish_by_bit, finish_behind
 * FOR		up to 4 hashes, without codes by frequency
 * UNWIND	6
 * REPLACE	ribbon_opened:first_plan ribbon_opened_next:next_plan
 *			ribbon_batches_find:any_batch
 */
void
prove_filter_batch(void)
{
	size_t n = nondet_size();

	assume(n <= FEW_HASHES);
	any_filter();
	any_arrays(n);
	ribbon_filter_prepare(&filter);
	if (nondet_bool())
		ribbon_contains_batch(&filter, hashes, n, answers);
	else
		ribbon_get_batch(&filter, hashes, n, answers, codes);
}
