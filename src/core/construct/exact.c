/*
 * exact.c - a filter that is right about every key of a universe
 *
 *----------
 *	 records, sorted:   rare keys   others
 *	                       |          |
 *	 a filter              v          |  is asked for all keys
 *	                       |          v
 *	 a column of bits   rare keys + others that pass: is it a member?
 *----------
 *
 * The rare keys are the members, or if these are more than the others, these.
 *
 * The filter is built in the buffer that becomes the result, with room in front
 * for the head, which is written last, and behind for the column.  Its bytes
 * under a head without a column are an exact set, too, so that it can be asked.
 */
#include "construct/burr.h"
#include "construct/derive.h"
#include "construct/exact_plan.h"
#include "construct/params.h"
#include "construct/salt.h"
#include "format/exact_head.h"

/* The most seeds that are tried; one is enough, but for 1 set in 2^60 or so. */
#define MAX_SEEDS 8

/* A record's bit is the lowest of its word. */
static const RibbonSupply bit_supply = {.value_bits = 1};

/* An exact set under construction. */
typedef struct Exact
{
	const RibbonEnv *env;
	size_t headroom;
	RibbonHashes universe; /* records, all of different hashes */
	RibbonHashes rare;	   /* hashes */
	RibbonExactShape shape;
	RibbonExactHead head;
} Exact;

/*
 * The survey: which keys are members, or are not, and do any two have the same
 * hash?
 */
typedef struct Survey
{
	uint64_t bit; /* of those to be found: RIBBON_MEMBER, or 0 */
	uint64_t last;
	bool any;
	bool collide;
} Survey;

/* A RibbonDerive: from records to hashes. */
static size_t
survey_records(void *arg, const uint64_t *records, size_t n, uint64_t *found)
{
	Survey *survey = (Survey *) arg;
	size_t nfound = 0;

	for (size_t i = 0; i < n; i++)
	{
		const uint64_t *record = records + i * RIBBON_RECORD_WORDS;

		survey->collide |= survey->any && record[0] == survey->last;
		survey->last = record[0];
		survey->any = true;
		found[nfound] = record[0];
		nfound += (record[1] & RIBBON_MEMBER) == survey->bit;
	}
	return nfound;
}

/*
 * Set x->rare to the keys that are members, or that are not, if there are no
 * collisions; else *collide.
 */
static RibbonStatus
find_keys(Exact *x, bool members, bool *collide)
{
	Survey survey = {.bit = members ? RIBBON_MEMBER : 0};
	RibbonStatus status;

	ribbon_hashes_free(x->env, &x->rare);
	status = ribbon_hashes_derive(x->env, &x->universe, survey_records, &survey,
								  x->universe.n, &x->rare);
	*collide = survey.collide;
	return status;
}

/* Find the members, and a seed under which all keys have other hashes. */
static RibbonStatus
settle_universe(Exact *x, const RibbonHashes *unseeded)
{
	bool collide = false;
	RibbonStatus status = find_keys(x, true, &collide);

	for (int i = 0; status == RIBBON_OK && collide; i++)
	{
		if (i == MAX_SEEDS)
			return RIBBON_CONFLICT;
		status = ribbon_reseed_records(x->env, unseeded, &x->universe,
									   &x->head.seed);
		if (status == RIBBON_OK)
			status = find_keys(x, true, &collide);
	}
	x->head.nmembers = x->rare.n;
	x->head.nothers = x->universe.n - x->rare.n;
	return status;
}

/*
 * Set passed to the records that pass the filter, and x->head.npassed.  It is
 * made for as many as can be expected, and if there are more, for so many.  The
 * caller frees it, after a failure too.
 */
static RibbonStatus
find_passed(Exact *x, const RibbonFilter *filter, RibbonHashes *passed)
{
	uint64_t expected = ribbon_exact_expect_passed(&x->shape,
												   x->head.result_bits);
	uint64_t capacity = ribbon_min64(expected + expected / 64 + 1024,
									 x->universe.n);
	RibbonStatus status;

	do
	{
		capacity = passed->n > capacity ? passed->n : capacity;
		ribbon_hashes_free(x->env, passed);
		status = ribbon_records_pass(x->env, &x->universe, filter, capacity,
									 passed);
	} while (status == RIBBON_OK && passed->n > capacity);
	x->head.npassed = passed->n - x->rare.n;
	return status;
}

/* Where bodies begin in a buffer, as long as the head is not written. */
static size_t
body_at(const Exact *x)
{
	return x->headroom + RIBBON_MAX_HEAD;
}

/* Build a body, and add it to the others; tail bytes are to be behind it. */
static RibbonStatus
add_body(const Exact *x, const RibbonHashes *keys, unsigned result_bits,
		 size_t tail, RibbonBytes *bodies)
{
	RibbonParams params = ribbon_exact_plane_params(&x->shape, result_bits,
													keys->n);
	RibbonRoom room = {.head = bodies->buffer == NULL ? body_at(x) : 0,
					   .tail = tail,
					   .role = RIBBON_OWN_BYTE};
	RibbonHashes lent = ribbon_hashes_lent(keys, keys->supply);
	RibbonBytes body = {.buffer = NULL};
	RibbonStatus status = ribbon_burr_build(x->env, &params, &lent, &room,
											&body);

	return status == RIBBON_OK ? ribbon_bytes_add(x->env, bodies, &body) :
								 status;
}

/* Open the filter as if there were no column. */
static RibbonStatus
open_filter(const Exact *x, const RibbonBytes *body, RibbonFilter *filter)
{
	/* of the rare keys, as if they were members */
	RibbonExactHead alone = {.key_class = x->head.key_class,
							 .result_bits = x->head.result_bits,
							 .nmembers = x->rare.n,
							 .nothers = x->universe.n - x->rare.n};
	uint8_t head[RIBBON_MAX_HEAD];
	size_t size = ribbon_format_encode_exact(&alone, head);
	uint8_t *first = body->buffer + body->begin - size;

	memcpy(first, head, size);
	return ribbon_open(first, size + body->end - body->begin, filter);
}

/* Build the column behind the filter; none if only the filter's keys pass. */
static RibbonStatus
add_column(Exact *x, RibbonBytes *bodies)
{
	RibbonFilter filter;
	RibbonHashes passed = {0};
	RibbonStatus status = open_filter(x, bodies, &filter);

	if (status == RIBBON_OK)
		status = find_passed(x, &filter, &passed);
	if (status == RIBBON_OK && x->head.npassed > 0)
		status = add_body(x, &passed, 0, 0, bodies);
	ribbon_hashes_free(x->env, &passed);
	return status;
}

/* Put the head in front of the bodies. */
static RibbonStatus
finish(const Exact *x, RibbonBytes *bytes)
{
	uint8_t head[RIBBON_MAX_HEAD];
	RibbonPrefix prefix = {head, ribbon_format_encode_exact(&x->head, head)};

	return ribbon_bytes_finish(x->env, bytes, x->headroom, &prefix, 1);
}

static RibbonStatus
build_plan(Exact *x, unsigned result_bits, RibbonBytes *bytes)
{
	bool has_filter = result_bits != RIBBON_ONE_COLUMN;
	size_t tail = 0;
	RibbonStatus status;

	if (has_filter)
	{
		uint64_t npassed = ribbon_exact_expect_passed(&x->shape, result_bits);

		tail = (size_t) (ribbon_exact_expect_column(&x->shape, npassed) / 100 *
						 101) +
			256;
	}
	x->head.result_bits = result_bits;
	x->head.npassed = 0;
	x->head.inverted = has_filter && x->head.nothers < x->head.nmembers;
	status = add_body(x, has_filter ? &x->rare : &x->universe, result_bits,
					  tail, bytes);
	if (status == RIBBON_OK && has_filter)
		status = add_column(x, bytes);
	return status == RIBBON_OK ? finish(x, bytes) : status;
}

/* The set is empty, or all of its universe: nothing but a head. */
static RibbonStatus
build_bare(Exact *x, RibbonBytes *bytes)
{
	RibbonStatus status = ribbon_bytes_create(x->env, bytes, body_at(x), 0);

	x->head.result_bits = 0;
	x->head.seed = 0;
	return status == RIBBON_OK ? finish(x, bytes) : status;
}

/* Build the plans that may be the smallest one, and keep that which is. */
static RibbonStatus
build_smallest(Exact *x, RibbonBytes *best)
{
	unsigned plans[RIBBON_MAX_EXACT_PLANS];
	unsigned nplans;
	bool collide;
	RibbonStatus status = RIBBON_OK;

	if (x->head.nothers < x->head.nmembers)
		status = find_keys(x, false, &collide);
	x->shape.nrare = x->rare.n;
	x->shape.nothers = x->universe.n - x->rare.n;
	nplans = ribbon_exact_plans(&x->shape, plans);
	for (unsigned i = 0; i < nplans && status == RIBBON_OK; i++)
	{
		RibbonBytes bytes = {.buffer = NULL};
		bool smaller;

		status = build_plan(x, plans[i], &bytes);
		smaller = best->buffer == NULL || bytes.end < best->end;
		ribbon_free(x->env, smaller ? best->buffer : bytes.buffer);
		if (smaller)
			*best = bytes;
	}
	return status;
}

static RibbonStatus
check_params(const RibbonExactParams *params)
{
	RibbonParams plain = {.kind = RIBBON_BURR,
						  .width = params->width,
						  .fpr = RIBBON_MAX_FPR,
						  .key_class = params->key_class};

	return params->has_as_of && !ribbon_is_as_of(params->as_of) ?
		RIBBON_BAD_PARAMS :
		ribbon_params_check(&plain);
}

/* Build an exact set of records, sorted and distinct. */
static RibbonStatus
build_exact(const RibbonEnv *env, const RibbonExactParams *params,
			const RibbonHashes *records, size_t headroom, uint8_t **bytes,
			size_t *nbytes)
{
	Exact x = {.env = env,
			   .shape = {.params = params},
			   .headroom = headroom,
			   .universe = *records,
			   .head = {.key_class = params->key_class,
						.has_as_of = params->has_as_of,
						.as_of = params->as_of}};
	RibbonBytes result = {.buffer = NULL};
	RibbonStatus status;

	if (records->n > RIBBON_MAX_KEYS)
		return RIBBON_OUT_OF_MEMORY;
	x.universe.owned = false;
	status = settle_universe(&x, records);
	if (status == RIBBON_OK)
		status = (x.head.nmembers == 0 || x.head.nothers == 0 ?
					  build_bare :
					  build_smallest)(&x, &result);
	ribbon_hashes_free(env, &x.universe);
	ribbon_hashes_free(env, &x.rare);
	return ribbon_bytes_give(env, &result, status, bytes, nbytes);
}

RibbonStatus
ribbon_build_exact(const RibbonEnv *env, const RibbonExactParams *params,
				   uint64_t *records, size_t nrecords, size_t headroom,
				   uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = check_params(params);
	uint64_t conflict[4];
	RibbonHashes set;

	if (status == RIBBON_OK)
		status = ribbon_distinct(env, RIBBON_EXACT_RECORDS, records, &nrecords,
								 conflict);
	if (status != RIBBON_OK)
		return status;
	set = ribbon_hashes_of_array(records, nrecords, &bit_supply);
	return build_exact(env, params, &set, headroom, bytes, nbytes);
}

RibbonStatus
ribbon_build_exact_stored(const RibbonEnv *env, const RibbonExactParams *params,
						  RibbonStore *store, uint64_t nrecords,
						  size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = check_params(params);
	RibbonHashes set = ribbon_hashes_of_store(store, nrecords, &bit_supply);

	if (status == RIBBON_OK && nrecords <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, &set);
	if (status == RIBBON_OK)
		status = build_exact(env, params, &set, headroom, bytes, nbytes);
	ribbon_hashes_free(env, &set);
	return status;
}
