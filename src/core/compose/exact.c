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
 */
#include "compose/build.h"

#include "compose/exact_form.h"
#include "compose/passing.h"
#include "construct/salt.h"
#include "set/derive.h"

/* The most seeds that are tried; one is enough, but for 1 set in 2^60 or so. */
#define MAX_SEEDS 8

/* A record's bit is the lowest of its word. */
static const RibbonSupply bit_supply = {.value_bits = 1};

/* An exact set under construction. */
typedef struct Exact
{
	const RibbonBuild *build;
	const RibbonSet *universe; /* records, all of different hashes */
	RibbonSet reseeded;		   /* these, if those given are not */
	RibbonSet rare;			   /* hashes */
	bool collide;			   /* have any two keys of the universe one hash? */
	RibbonSides sides;
	RibbonExactHead head;
	RibbonAssembly assembly; /* of the form that is built */
} Exact;

/* The survey: which keys are members, or are not, and do any two collide? */
typedef struct Survey
{
	uint64_t bit; /* of those to be found: RIBBON_MEMBER, or 0 */
	uint64_t last;
	bool any;
	bool collide;
} Survey;

/* A RibbonDerive: from records to hashes. */
static size_t
survey_records(void *arg, const uint64_t *words, size_t n, uint64_t *found)
{
	Survey *survey = (Survey *) arg;
	const RibbonRecord *records = (const RibbonRecord *) words;
	size_t nfound = 0;

	for (size_t i = 0; i < n; i++)
	{
		survey->collide |= survey->any && records[i].hash == survey->last;
		survey->last = records[i].hash;
		survey->any = true;
		found[nfound] = records[i].hash;
		nfound += (records[i].word & RIBBON_MEMBER) == survey->bit;
	}
	return nfound;
}

/* Set x->rare to the keys that are members, or are not, unless keys collide. */
static RibbonStatus
find_keys(Exact *x, bool members)
{
	Survey survey = {.bit = members ? RIBBON_MEMBER : 0};
	RibbonStatus status;

	ribbon_set_close(&x->rare);
	status = ribbon_set_derive(x->build->env, x->universe, survey_records,
							   &survey, RIBBON_HASHES, x->universe->n,
							   &x->rare);
	x->collide = survey.collide;
	return status;
}

/* Find the members, and a seed under which all keys have other hashes. */
static RibbonStatus
settle_universe(Exact *x)
{
	const RibbonSet *unseeded = x->universe;
	RibbonStatus status = find_keys(x, true);

	for (int i = 0; status == RIBBON_OK && x->collide; i++)
	{
		if (i == MAX_SEEDS)
			return RIBBON_CONFLICT;
		status = ribbon_reseed_records(x->build->env, unseeded, &x->reseeded,
									   &x->head.seed);
		x->universe = &x->reseeded;
		if (status == RIBBON_OK)
			status = find_keys(x, true);
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
find_passed(Exact *x, RibbonResultBits form, const RibbonOpened *filter,
			RibbonSet *passed)
{
	uint64_t expected = ribbon_exact_expect_passed(&x->sides, form);
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
		status = ribbon_set_derive(x->build->env, x->universe,
								   ribbon_pass_records, &passing,
								   RIBBON_EXACT_RECORDS, capacity, passed);
	} while (status == RIBBON_OK && passed->n > capacity);
	x->head.npassed = passed->n - x->rare.n;
	return status;
}

/* Build a filter of hashes, or a column of records, and add it. */
static RibbonStatus
add_plane(Exact *x, const RibbonSet *keys, RibbonResultBits form)
{
	return ribbon_assembly_add(&x->assembly, keys,
							   keys->kind == RIBBON_HASHES ? NULL : &bit_supply,
							   form, RIBBON_OWN_BYTE);
}

/* Find the keys that pass the filter, and add a column over them, if any. */
static RibbonStatus
add_column(Exact *x, RibbonResultBits form)
{
	RibbonSet passed = {.n = 0};
	RibbonOpened filter;
	RibbonStatus status;

	ribbon_passing_open(&x->assembly, &filter);
	status = find_passed(x, form, &filter, &passed);
	x->head.column = ribbon_exact_needs_column(&x->sides, x->head.check,
											   x->head.npassed);
	if (status == RIBBON_OK && x->head.column)
		status = add_plane(x, &passed, ribbon_no_check);
	ribbon_set_close(&passed);
	return status;
}

/* Build a column of the whole universe, which is masked in a copy. */
static RibbonStatus
add_only_column(Exact *x)
{
	RibbonSet masked = {.n = 0};
	RibbonStatus status = RIBBON_OK;

	if (x->head.rated)
		status = find_passed(x, ribbon_no_check, NULL, &masked);
	if (status == RIBBON_OK)
		status = add_plane(x, x->head.rated ? &masked : x->universe,
						   ribbon_no_check);
	ribbon_set_close(&masked);
	return status;
}

static RibbonStatus
add_planes(Exact *x, RibbonResultBits form)
{
	RibbonStatus status;

	x->head.npassed = 0;
	x->head.column = false;
	x->head.inverted = false;
	x->head.check = ribbon_no_check;
	if (ribbon_exact_is_column(form))
		return add_only_column(x);
	x->head.inverted = x->rare.n != x->head.nmembers;
	status = add_plane(x, &x->rare, form);
	x->head.check = x->assembly.plane.check;
	return status == RIBBON_OK ? add_column(x, form) : status;
}

/*
 * Build a form; without one (NULL) nothing but a head, for a set that is empty,
 * or all of its universe.
 */
static RibbonStatus
build_form(Exact *x, const RibbonResultBits *form, RibbonBytes *bytes)
{
	RibbonRoom room = {0, 0};
	RibbonStatus status = RIBBON_OK;

	if (form != NULL && !ribbon_exact_is_column(*form))
		room.behind = (size_t)
			ribbon_exact_expect_column(&x->sides,
									   ribbon_exact_expect_passed(&x->sides,
																  *form));
	ribbon_assembly_begin(&x->assembly, x->build, room);
	if (form != NULL)
		status = add_planes(x, *form);
	if (status == RIBBON_OK)
		status = ribbon_assembly_finish_exact(&x->assembly, &x->head, bytes);
	ribbon_assembly_free(&x->assembly);
	return status;
}

/* Build a form, and keep it if it is smaller than the best one so far. */
static RibbonStatus
try_form(Exact *x, RibbonResultBits form, RibbonBytes *best)
{
	RibbonBytes bytes = {.buffer = NULL};
	RibbonStatus status = build_form(x, &form, &bytes);

	ribbon_bytes_keep_smaller(x->build->env, best, &bytes);
	return status;
}

/* Build the forms that may be the smallest one, and keep that which is. */
static RibbonStatus
build_smallest(Exact *x, RibbonBytes *best)
{
	RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS];
	unsigned nforms;
	RibbonStatus status = RIBBON_OK;

	if (x->head.nothers < x->head.nmembers && !x->head.rated)
		status = find_keys(x, false);
	x->sides.nrare = x->rare.n;
	x->sides.nothers = x->universe->n - x->rare.n;
	if (status == RIBBON_OK && ribbon_exact_try_filter(&x->sides))
	{
		status = try_form(x, x->sides.rate, best);
		if (status != RIBBON_OK || !x->head.column)
			return status;
		ribbon_bytes_discard(x->build->env, best);
	}
	nforms = ribbon_exact_forms(&x->sides, forms);
	for (unsigned i = 0; i < nforms && status == RIBBON_OK; i++)
		status = try_form(x, forms[i], best);
	return status;
}

RibbonStatus
ribbon_exact_build(const RibbonBuild *build, const RibbonSet *records,
				   RibbonBytes *bytes)
{
	const RibbonParams *params = build->params;
	Exact x = {.build = build,
			   .universe = records,
			   .sides = {.params = params, .rate = build->check},
			   .head = {.key_class = params->key_class,
						.rated = params->fpr < 1,
						.has_as_of = params->has_as_of,
						.as_of = params->as_of}};
	RibbonStatus status = settle_universe(&x);

	if (status == RIBBON_OK &&
		(x.head.nmembers == 0 || (x.head.nothers == 0 && !x.head.rated)))
	{
		x.head.seed = 0;
		status = build_form(&x, NULL, bytes);
	}
	else if (status == RIBBON_OK)
		status = build_smallest(&x, bytes);
	ribbon_set_close(&x.reseeded);
	ribbon_set_close(&x.rare);
	return status;
}
