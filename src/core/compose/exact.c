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
 * The rare keys are the members, or if these are more than the others, these;
 * always the members in a set with a rate.
 *
 * The filter is built in the buffer that becomes the result, with room in front
 * for head and header, which are written last, and behind for the column.
 */
#include "compose/build.h"

#include "compose/exact_plan.h"
#include "compose/passing.h"
#include "construct/salt.h"
#include "format/exact_head.h"
#include "set/derive.h"

/* The most seeds that are tried; one is enough, but for 1 set in 2^60 or so. */
#define MAX_SEEDS 8

/* A record's bit is the lowest of its word. */
static const RibbonSupply bit_supply = {.value_bits = 1};

/* An exact set under construction. */
typedef struct Exact
{
	const RibbonEnv *env;
	size_t headroom;
	const RibbonSet *universe; /* records, all of different hashes */
	RibbonSet reseeded;		   /* these, if those given are not */
	RibbonSet rare;			   /* hashes */
	RibbonExactShape shape;
	RibbonExactHead head;
	RibbonPlane first; /* of the plan that is built */
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

	ribbon_set_close(&x->rare);
	status = ribbon_set_derive(x->env, x->universe, survey_records, &survey,
							   RIBBON_HASHES, x->universe->n, &x->rare);
	*collide = survey.collide;
	return status;
}

/* Find the members, and a seed under which all keys have other hashes. */
static RibbonStatus
settle_universe(Exact *x)
{
	const RibbonSet *unseeded = x->universe;
	bool collide = false;
	RibbonStatus status = find_keys(x, true, &collide);

	for (int i = 0; status == RIBBON_OK && collide; i++)
	{
		if (i == MAX_SEEDS)
			return RIBBON_CONFLICT;
		status = ribbon_reseed_records(x->env, unseeded, &x->reseeded,
									   &x->head.seed);
		x->universe = &x->reseeded;
		if (status == RIBBON_OK)
			status = find_keys(x, true, &collide);
	}
	x->head.nmembers = x->rare.n;
	x->head.nothers = x->universe->n - x->rare.n;
	return status;
}

/*
 * Set passed to the records that pass the filter, or all, and x->head.npassed.
 * It is made for as many as can be expected, and if there are more, for so
 * many.  The caller frees it, after a failure too.
 */
static RibbonStatus
find_passed(Exact *x, RibbonExactPlan plan, const RibbonPlan *filter,
			RibbonSet *passed)
{
	uint64_t expected = ribbon_exact_expect_passed(&x->shape, plan);
	uint64_t capacity = ribbon_min64(expected + expected / 64 + 1024,
									 x->universe->n);
	RibbonPassing passing = {.filter = filter,
							 .mask = RIBBON_MEMBER,
							 .sure = x->head.inverted ? 0 : RIBBON_MEMBER,
							 .masked = x->head.rated};
	RibbonStatus status;

	do
	{
		capacity = passed->n > capacity ? passed->n : capacity;
		ribbon_set_close(passed);
		status = ribbon_set_derive(x->env, x->universe, ribbon_pass_records,
								   &passing, RIBBON_EXACT_RECORDS, capacity,
								   passed);
	} while (status == RIBBON_OK && passed->n > capacity);
	x->head.npassed = passed->n - x->rare.n;
	return status;
}

/* Where bodies begin in a buffer, until what stands in front is written. */
static size_t
body_at(const Exact *x)
{
	return x->headroom + RIBBON_MAX_HEAD + RIBBON_MAX_HEADER;
}

/*
 * Build a body, and add it to the others; tail bytes are to be behind it.  The
 * first one comes without its header.
 */
static RibbonStatus
add_body(Exact *x, const RibbonSet *keys, RibbonExactPlan plan, size_t tail,
		 RibbonBytes *bodies)
{
	RibbonParams params = ribbon_exact_plane_params(&x->shape, plan, keys->n);
	bool first = bodies->buffer == NULL;
	RibbonRoom room = {.head = first ? body_at(x) : 0,
					   .tail = tail,
					   .plane = first ? &x->first : NULL};
	RibbonBytes body = {.buffer = NULL};
	RibbonStatus status =
		ribbon_burr_build(x->env, &params, keys,
						  keys->kind == RIBBON_HASHES ? NULL : &bit_supply,
						  &room, &body);

	return status == RIBBON_OK ? ribbon_bytes_add(x->env, bodies, &body) :
								 status;
}

/* Build the column behind the filter, unless it takes none. */
static RibbonStatus
add_column(Exact *x, RibbonExactPlan plan, RibbonBytes *bodies)
{
	RibbonSet passed = {.n = 0};
	RibbonPlan filter;
	RibbonStatus status;

	ribbon_passing_open(&x->first, bodies->buffer + bodies->begin, &filter);
	status = find_passed(x, plan, &filter, &passed);
	x->head.column = ribbon_exact_needs_column(&x->shape, x->head.check,
											   x->head.npassed);
	if (status == RIBBON_OK && x->head.column)
		status = add_body(x, &passed, ribbon_exact_column, 0, bodies);
	ribbon_set_close(&passed);
	return status;
}

/* Build a column of the whole universe, which is masked in a copy. */
static RibbonStatus
add_only_column(Exact *x, RibbonBytes *bodies)
{
	RibbonSet masked = {.n = 0};
	RibbonStatus status = RIBBON_OK;

	if (x->head.rated)
		status = find_passed(x, ribbon_exact_column, NULL, &masked);
	if (status == RIBBON_OK)
		status = add_body(x, x->head.rated ? &masked : x->universe,
						  ribbon_exact_column, 0, bodies);
	ribbon_set_close(&masked);
	return status;
}

/* Put head and the first header in front of the bodies. */
static RibbonStatus
finish(const Exact *x, RibbonBytes *bytes)
{
	uint8_t head[RIBBON_MAX_HEAD], header[RIBBON_MAX_HEADER];
	RibbonPrefix prefixes[] =
		{{head, ribbon_format_encode_exact(&x->head, head)},
		 {header,
		  ribbon_format_encode_body(&x->first, RIBBON_OWN_BYTE, header)}};

	return ribbon_bytes_finish(x->env, bytes, x->headroom, prefixes, 2);
}

static RibbonStatus
build_plan(Exact *x, RibbonExactPlan plan, RibbonBytes *bytes)
{
	bool has_filter = !ribbon_exact_is_column(plan);
	uint64_t npassed = ribbon_exact_expect_passed(&x->shape, plan);
	uint64_t column = ribbon_exact_expect_column(&x->shape, npassed);
	RibbonStatus status;

	x->head.npassed = 0;
	x->head.column = false;
	x->head.inverted = has_filter && x->rare.n != x->head.nmembers;
	status = has_filter ? add_body(x, &x->rare, plan,
								   (size_t) (column / 100 * 101) + 256, bytes) :
						  add_only_column(x, bytes);
	x->head.check = x->first.check;
	if (status == RIBBON_OK && has_filter)
		status = add_column(x, plan, bytes);
	return status == RIBBON_OK ? finish(x, bytes) : status;
}

/* The set is empty, or all of its universe: nothing but a head. */
static RibbonStatus
build_bare(Exact *x, RibbonBytes *bytes)
{
	RibbonStatus status = ribbon_bytes_create(x->env, bytes, body_at(x), 0);

	ribbon_plane_init_empty(&x->first, x->head.key_class);
	x->head.seed = 0;
	return status == RIBBON_OK ? finish(x, bytes) : status;
}

/* Build a plan, and keep it if it is smaller than the best one so far. */
static RibbonStatus
try_plan(Exact *x, RibbonExactPlan plan, RibbonBytes *best)
{
	RibbonBytes bytes = {.buffer = NULL};
	RibbonStatus status = build_plan(x, plan, &bytes);
	bool smaller = best->buffer == NULL || bytes.end < best->end;

	ribbon_free(x->env, smaller ? best->buffer : bytes.buffer);
	if (smaller)
		*best = bytes;
	return status;
}

/* Build the plans that may be the smallest one, and keep that which is. */
static RibbonStatus
build_smallest(Exact *x, RibbonBytes *best)
{
	RibbonExactPlan plans[RIBBON_MAX_EXACT_PLANS], filter;
	unsigned nplans;
	bool collide;
	RibbonStatus status = RIBBON_OK;

	if (x->head.nothers < x->head.nmembers && !x->head.rated)
		status = find_keys(x, false, &collide);
	x->shape.nrare = x->rare.n;
	x->shape.nothers = x->universe->n - x->rare.n;
	if (status == RIBBON_OK && ribbon_exact_try_filter(&x->shape, &filter))
	{
		status = try_plan(x, filter, best);
		if (status != RIBBON_OK || !x->head.column)
			return status;
		ribbon_bytes_discard(x->env, best);
	}
	nplans = ribbon_exact_plans(&x->shape, plans);
	for (unsigned i = 0; i < nplans && status == RIBBON_OK; i++)
		status = try_plan(x, plans[i], best);
	return status;
}

RibbonStatus
ribbon_exact_build(const RibbonEnv *env, const RibbonParams *params,
				   const RibbonSet *records, size_t headroom,
				   RibbonBytes *bytes)
{
	Exact x = {.env = env,
			   .universe = records,
			   .shape = {.params = params},
			   .headroom = headroom,
			   .head = {.key_class = params->key_class,
						.rated = params->fpr < 1,
						.has_as_of = params->has_as_of,
						.as_of = params->as_of}};
	RibbonStatus status;
	bool bare;

	status = settle_universe(&x);
	bare = x.head.nmembers == 0 || (x.head.nothers == 0 && !x.head.rated);
	if (status == RIBBON_OK)
		status = (bare ? build_bare : build_smallest)(&x, bytes);
	ribbon_set_close(&x.reseeded);
	ribbon_set_close(&x.rare);
	return status;
}
