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
 * Two keys of one hash could not be told apart.  Then all keys get other
 * hashes, made of both of theirs with a seed (construct/salt.h).
 */
#include "compose/build.h"

#include "compose/exact_form.h"
#include "compose/passing.h"
#include "construct/salt.h"
#include "set/derive.h"

/*
 * The most seeds that are tried after none, which is 0.  Of n keys two have one
 * hash under a seed with probability 1 - exp(-n^2 / 2^65): about 2^-25 if there
 * are a million, 0.4 if there are 2^32.
 */
#define MAX_SEEDS 8

/* A record's bit is the lowest of its word. */
static const RibbonSupply bit_supply = {.value_bits = 1};

/* The universe of an exact set, and its keys that a filter is to have. */
typedef struct Exact
{
	const RibbonBuild *build;
	const RibbonSet *universe; /* records, all of different hashes */
	RibbonSet reseeded;		   /* these, if those given are not */
	RibbonSet rare;			   /* hashes */
	RibbonSides sides;
	bool inverted;		  /* are the rare keys the others? */
	RibbonExactHead head; /* what it says whatever the form is */
} Exact;

/* The survey: which keys are members, or are not, and do any two collide? */
typedef struct Survey
{
	uint64_t bit; /* of those to be found: RIBBON_MEMBER, or 0 */
	RibbonLastHash last;
	bool collide;
} Survey;

/* A RibbonDerive: from records to hashes. */
static size_t
survey_records(void *arg, const uint64_t *words, size_t n, uint64_t *found)
{
	Survey *survey = (Survey *) arg;
	const RibbonRecord *records = (const RibbonRecord *) words;
	Survey so_far = *survey; /* no store to found changes it */
	size_t nfound = 0;

	for (size_t i = 0; i < n; i++)
	{
		so_far.collide |= ribbon_hash_repeats(&so_far.last, records[i].hash);
		found[nfound] = records[i].hash;
		nfound += (records[i].word & RIBBON_MEMBER) == so_far.bit;
	}
	*survey = so_far;
	return nfound;
}

/*
 * Set x->rare to the keys that are members, or are not.  RIBBON_NO_SEED: two
 * keys of the universe have one hash under the seed so far.
 */
static RibbonStatus
find_keys(Exact *x, bool members)
{
	Survey survey = {.bit = members ? RIBBON_MEMBER : 0};
	RibbonStatus status = ribbon_set_derive(x->build->env, x->universe,
											survey_records, &survey,
											RIBBON_HASHES, x->universe->n,
											&x->rare);

	return status == RIBBON_OK && survey.collide ? RIBBON_NO_SEED : status;
}

/* Find the members, and a seed under which all keys have other hashes. */
static RibbonStatus
find_members(Exact *x)
{
	const RibbonSet *unseeded = x->universe;
	RibbonStatus status = find_keys(x, true);

	for (int i = 0; status == RIBBON_NO_SEED && i < MAX_SEEDS; i++)
	{
		status = ribbon_salt_reseed(x->build->env, unseeded, &x->reseeded,
									&x->head.seed);
		x->universe = &x->reseeded;
		if (status == RIBBON_OK)
			status = find_keys(x, true);
	}
	x->head.nmembers = x->rare.n;
	x->head.nothers = x->universe->n - x->rare.n;
	/* a key on both sides: those of one hash exceeded memory until now */
	return status == RIBBON_CONFLICT ? RIBBON_NO_SEED : status;
}

/* Set the two sides: the rare keys are the others, if these are fewer. */
static RibbonStatus
find_sides(Exact *x)
{
	RibbonStatus status = RIBBON_OK;

	x->inverted = x->head.nothers < x->head.nmembers && !x->head.rated;
	if (x->inverted)
		status = find_keys(x, false);
	x->sides = (RibbonSides){.params = x->build->params,
							 .rate = x->build->check,
							 .nrare = x->rare.n,
							 .nmost = x->universe->n - x->rare.n};
	return status;
}

/* A set of one form that is being built. */
typedef struct Form
{
	const Exact *x;
	RibbonResultBits wanted; /* of the filter (exact_form.h) */
	RibbonExactHead head;
	RibbonAssembly assembly;
} Form;

/*
 * How many more keys pass a filter than are expected, at most: a 64th and 1024
 * are eight standard deviations, or more, of any number.
 */
#define PASSED_SHARE 64
#define PASSED_MORE	 1024

/*
 * Set passed to the records that pass the filter, or all, and head.npassed.  It
 * is made for as many as can be expected, and if there are more, for all.  The
 * caller frees it, after a failure too.
 */
static RibbonStatus
find_passed(Form *f, const RibbonOpened *filter, RibbonSet *passed)
{
	const RibbonSet *universe = f->x->universe;
	uint64_t expected = ribbon_exact_expect_passed(&f->x->sides, f->wanted);
	uint64_t capacity = ribbon_min64(expected + expected / PASSED_SHARE +
										 PASSED_MORE,
									 universe->n);
	RibbonPassing passing = {.filter = filter,
							 .mask = RIBBON_MEMBER,
							 .sure = f->head.inverted ? 0 : RIBBON_MEMBER,
							 .masked = f->head.rated};
	RibbonStatus status = RIBBON_TOO_MANY;

	for (int i = 0; i < 2 && status == RIBBON_TOO_MANY; i++)
	{
		status = ribbon_set_derive(f->x->build->env, universe,
								   ribbon_pass_records, &passing,
								   RIBBON_EXACT_RECORDS, capacity, passed);
		capacity = universe->n;
	}
	f->head.npassed = passed->n - f->x->rare.n;
	return status;
}

/* Build a column of records' bits, and add it. */
static RibbonStatus
add_column(Form *f, const RibbonSet *records)
{
	return ribbon_assembly_add(&f->assembly, records, &bit_supply,
							   ribbon_no_check, RIBBON_ROLE_OWN_BYTE);
}

/* Add the filter; and a column over the keys that pass it, if it needs one. */
static RibbonStatus
add_filter(Form *f)
{
	RibbonSet passed = {.n = 0};
	RibbonOpened filter;
	RibbonStatus status = ribbon_assembly_add(&f->assembly, &f->x->rare, NULL,
											  f->wanted, RIBBON_ROLE_OWN_BYTE);

	if (status != RIBBON_OK)
		return status;
	f->head.inverted = f->x->inverted;
	f->head.check = f->assembly.last.check;
	ribbon_passing_open(&f->assembly, &filter);
	status = find_passed(f, &filter, &passed);
	f->head.column = ribbon_exact_needs_column(&f->x->sides, f->head.check,
											   f->head.npassed);
	if (status == RIBBON_OK && f->head.column)
		status = add_column(f, &passed);
	ribbon_set_close(&passed);
	return status;
}

/* Add a column over the whole universe, which is masked in a copy. */
static RibbonStatus
add_only_column(Form *f)
{
	RibbonSet masked = {.n = 0};
	RibbonStatus status = RIBBON_OK;

	if (f->head.rated)
		status = find_passed(f, NULL, &masked);
	if (status == RIBBON_OK)
		status = add_column(f, f->head.rated ? &masked : f->x->universe);
	ribbon_set_close(&masked);
	return status;
}

/*
 * Build a form, and keep it if it is smaller than the best one so far.  *column
 * says whether it has one behind the filter.
 */
static RibbonStatus
try_form(const Exact *x, RibbonResultBits wanted, RibbonBytes *best,
		 bool *column)
{
	bool filter = ribbon_has_check(wanted);
	RibbonBytes bytes = {.buffer = NULL};
	RibbonRoom room = {0, 0};
	RibbonStatus status;
	Form f;

	f.x = x;
	f.wanted = wanted;
	f.head = x->head;
	if (filter)
		room.behind = (size_t)
			ribbon_exact_expect_column(&x->sides,
									   ribbon_exact_expect_passed(&x->sides,
																  wanted));
	ribbon_assembly_begin(&f.assembly, x->build, room);
	status = filter ? add_filter(&f) : add_only_column(&f);
	if (status == RIBBON_OK)
		status = ribbon_assembly_finish_exact(&f.assembly, &f.head, &bytes);
	ribbon_assembly_free(&f.assembly);
	ribbon_bytes_keep_smaller(x->build->env, best, &bytes);
	*column = f.head.column;
	return status;
}

/* Build the forms that may be the smallest one, and keep that which is. */
static RibbonStatus
build_smallest(Exact *x, RibbonBytes *best)
{
	RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS];
	RibbonStatus status = find_sides(x);
	unsigned nforms;
	bool column;

	if (status == RIBBON_OK && ribbon_exact_try_filter(&x->sides))
	{
		status = try_form(x, x->sides.rate, best, &column);
		if (status != RIBBON_OK || !column)
			return status;
		ribbon_bytes_discard(x->build->env, best);
	}
	nforms = ribbon_exact_forms(&x->sides, forms);
	for (unsigned i = 0; i < nforms && status == RIBBON_OK; i++)
		status = try_form(x, forms[i], best, &column);
	return status;
}

/* A set that is empty, or all of its universe, is nothing but a head. */
static RibbonStatus
build_head(Exact *x, RibbonBytes *bytes)
{
	RibbonAssembly assembly;
	RibbonStatus status;

	x->head.seed = 0;
	ribbon_assembly_begin(&assembly, x->build, (RibbonRoom){0, 0});
	status = ribbon_assembly_finish_exact(&assembly, &x->head, bytes);
	ribbon_assembly_free(&assembly);
	return status;
}

RibbonStatus
ribbon_exact_build(const RibbonBuild *build, const RibbonSet *records,
				   RibbonBytes *bytes)
{
	const RibbonParams *params = build->params;
	Exact x = {.build = build,
			   .universe = records,
			   .head = {.key_class = params->key_class,
						.rated = params->fpr < 1,
						.has_as_of = params->has_as_of,
						.as_of = params->as_of}};
	RibbonStatus status = find_members(&x);

	if (status == RIBBON_OK)
		status = x.head.nmembers == 0 ||
				(x.head.nothers == 0 && !x.head.rated) ?
			build_head(&x, bytes) :
			build_smallest(&x, bytes);
	ribbon_set_close(&x.reseeded);
	ribbon_set_close(&x.rare);
	return status;
}
