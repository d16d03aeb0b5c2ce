/*
 * exact.c - a filter that is right about every key of a universe
 *
 *----------
 *	 records, sorted:   members    others
 *	                       |         |
 *	 level 1, a filter     v         |  is asked for all keys
 *	                       |         v
 *	 level 2, a bit        members + others that pass
 *----------
 *
 * Level 1 is built in the buffer that becomes the result, with room in front
 * for the head, which is written last, and behind for level 2.  Its bytes under
 * a head without a level 2 are an exact set, too, so that it can be asked.
 */
#include "construct/exact.h"

#include "base/power.h"
#include "construct/burr.h"
#include "construct/params.h"
#include "construct/size.h"
#include "format/exact_head.h"

/* Of no more keys than this, several plans are built (exact.h), */
#define COUNTED_KEYS (UINT64_C(1) << 20)

/* namely those within a 128th and so many bytes of the least. */
#define COUNTED_SHARE 128
#define COUNTED_BYTES 8

/* Plans have floor(log2 K) columns, one less, or up to so many more. */
#define MORE_COLUMNS 5
#define ONE_COLUMN	 0 /* the plan without level 1 */
#define MAX_PLANS	 34

#define PASSED_AT_ONCE 1024

/* A record's bit is the lowest of its word. */
static const RibbonSupply bit_supply = {.value_bits = 1};

static const RibbonResultBits bit_columns = {1, 0};

/* An exact set under construction. */
typedef struct Exact
{
	const RibbonEnv *env;
	const RibbonExactParams *params;
	size_t headroom;
	RibbonHashes universe; /* records, all of different hashes */
	RibbonHashes members;  /* hashes */
	RibbonExactHead head;
} Exact;

/* The bytes of a plan that was built, behind headroom bytes. */
typedef struct Result
{
	uint8_t *buffer; /* NULL: nothing yet */
	size_t nbytes;
} Result;

/*
 * The survey: which keys are members, and do any two have the same hash?
 */
typedef struct Survey
{
	RibbonHashes *members;
	uint64_t last;
	bool any;
	bool collide;
} Survey;

static RibbonStatus
survey_part(void *arg, const uint64_t *records, size_t n)
{
	Survey *survey = (Survey *) arg;
	uint64_t found[PASSED_AT_ONCE];
	size_t nfound = 0;
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK; i++)
	{
		const uint64_t *record = records + i * RIBBON_RECORD_WORDS;

		survey->collide |= survey->any && record[0] == survey->last;
		survey->last = record[0];
		survey->any = true;
		found[nfound] = record[0];
		nfound += record[1] & RIBBON_MEMBER;
		if (nfound == PASSED_AT_ONCE || i + 1 == n)
		{
			status = ribbon_hashes_add(survey->members, found, nfound);
			nfound = 0;
		}
	}
	return status;
}

/* Set *collide, and if there are no collisions x->members. */
static RibbonStatus
find_members(Exact *x, bool *collide)
{
	Survey survey = {.members = &x->members};
	RibbonStatus status = ribbon_hashes_create(x->env, &x->members,
											   x->universe.n, NULL);

	if (status == RIBBON_OK)
		status = ribbon_hashes_each(x->env, &x->universe, survey_part, &survey);
	*collide = survey.collide;
	if (status == RIBBON_OK && !*collide && x->members.store != NULL)
		status = ribbon_hashes_seal(x->env, &x->members);
	return status;
}

/* Find the members, and a seed under which all keys have other hashes. */
static RibbonStatus
settle_universe(Exact *x, const RibbonHashes *unseeded)
{
	bool collide = false;
	RibbonStatus status = find_members(x, &collide);

	for (int i = 0; status == RIBBON_OK && collide; i++)
	{
		ribbon_hashes_free(x->env, &x->members);
		if (i == RIBBON_EXACT_SEEDS)
			return RIBBON_CONFLICT;
		status = ribbon_reseed_records(x->env, unseeded, &x->universe,
									   &x->head.seed);
		if (status == RIBBON_OK)
			status = find_members(x, &collide);
	}
	x->head.nmembers = x->members.n;
	x->head.nothers = x->universe.n - x->members.n;
	return status;
}

/* The parameters of level 1, or of a column over nkeys keys. */
static RibbonParams
plane_params(const Exact *x, unsigned result_bits, uint64_t nkeys)
{
	RibbonResultBits columns = {result_bits, 0};
	RibbonParams params = {.kind = RIBBON_BURR,
						   .width = x->params->width,
						   .fpr = ribbon_power_of_two(-(int) result_bits),
						   .key_class = x->params->key_class};

	if (result_bits == 0)
		columns = bit_columns;
	if (params.width == RIBBON_DEFAULT_WIDTH)
		params.width = result_bits == 0 ?
			ribbon_params_map_width(columns, nkeys) :
			ribbon_params_default_width(RIBBON_BURR, columns, nkeys);
	return params;
}

static uint64_t
expected_body(const Exact *x, unsigned result_bits, uint64_t nkeys)
{
	RibbonResultBits columns = {result_bits, 0};

	return ribbon_size_of_body(plane_params(x, result_bits, nkeys).width,
							   result_bits == 0 ? bit_columns : columns, nkeys);
}

/* The members and the others that can be expected to pass level 1. */
static uint64_t
expected_passed(const Exact *x, unsigned result_bits)
{
	return x->head.nmembers + (x->head.nothers >> result_bits);
}

/* The bytes that a plan can be expected to take, without head. */
static uint64_t
expected_plan(const Exact *x, unsigned result_bits)
{
	uint64_t npassed = expected_passed(x, result_bits);

	if (result_bits == ONE_COLUMN)
		return expected_body(x, 0, x->universe.n);
	return expected_body(x, result_bits, x->head.nmembers) +
		(npassed > x->head.nmembers ? expected_body(x, 0, npassed) : 0);
}

/* The keys that pass level 1. */
typedef struct Passing
{
	const RibbonFilter *filter;
	RibbonHashes *passed; /* records */
} Passing;

static RibbonStatus
pass_part(void *arg, const uint64_t *records, size_t n)
{
	Passing *passing = (Passing *) arg;
	uint64_t hashes[PASSED_AT_ONCE];
	bool answers[PASSED_AT_ONCE];
	uint64_t found[PASSED_AT_ONCE * RIBBON_RECORD_WORDS];
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK; i += PASSED_AT_ONCE)
	{
		const uint64_t *from = records + i * RIBBON_RECORD_WORDS;
		size_t now = (size_t) ribbon_min64(n - i, PASSED_AT_ONCE);
		size_t nfound = 0;

		for (size_t k = 0; k < now; k++)
			hashes[k] = from[k * RIBBON_RECORD_WORDS];
		ribbon_contains_batch(passing->filter, hashes, now, answers);
		for (size_t k = 0; k < now; k++)
		{
			found[nfound * RIBBON_RECORD_WORDS] = hashes[k];
			found[nfound * RIBBON_RECORD_WORDS + 1] =
				from[k * RIBBON_RECORD_WORDS + 1];
			nfound += answers[k];
		}
		status = ribbon_hashes_add(passing->passed, found, nfound);
	}
	return status;
}

/*
 * Set passed to the records that pass level 1, and x->head.npassed.  It is made
 * for as many as can be expected, and if there are more, for so many.  The
 * caller frees it, after a failure too.
 */
static RibbonStatus
find_passed(Exact *x, const RibbonFilter *filter, RibbonHashes *passed)
{
	Passing passing = {filter, passed};
	uint64_t expected = expected_passed(x, x->head.result_bits);
	uint64_t capacity = ribbon_min64(expected + expected / 64 + 1024,
									 x->universe.n);
	RibbonStatus status;

	memset(passed, 0, sizeof(*passed));
	do
	{
		capacity = passed->n > capacity ? passed->n : capacity;
		ribbon_hashes_free(x->env, passed);
		status = ribbon_hashes_create(x->env, passed, capacity, &bit_supply);
		if (status == RIBBON_OK)
			status = ribbon_hashes_each(x->env, &x->universe, pass_part,
										&passing);
	} while (status == RIBBON_OK && passed->n > capacity);
	if (status == RIBBON_OK && passed->store != NULL)
		status = ribbon_hashes_seal(x->env, passed);
	x->head.npassed = passed->n - x->head.nmembers;
	return status;
}

/* Build a plane's body: head bytes | the body's *nbytes bytes | tail bytes. */
static RibbonStatus
build_body(const Exact *x, const RibbonHashes *keys, unsigned result_bits,
		   size_t head, size_t tail, uint8_t **bytes, size_t *nbytes)
{
	RibbonParams params = plane_params(x, result_bits, keys->n);
	RibbonRoom room = {.head = head, .tail = tail, .role = RIBBON_OWN_BYTE};
	RibbonHashes lent = *keys;

	lent.owned = false;
	return ribbon_burr_build(x->env, &params, &lent, &room, bytes, nbytes);
}

/* Where bodies begin in a buffer, as long as the head is not written. */
static size_t
body_at(const Exact *x)
{
	return x->headroom + RIBBON_MAX_HEAD;
}

/*
 * Open level 1, a body of nbytes bytes in a buffer, as if there were no level
 * 2.
 */
static RibbonStatus
open_level1(Exact *x, uint8_t *buffer, size_t nbytes, RibbonFilter *filter)
{
	uint8_t head[RIBBON_MAX_HEAD];
	uint8_t *first;
	size_t size;

	x->head.npassed = 0;
	size = ribbon_format_encode_exact(&x->head, head);
	first = buffer + body_at(x) - size;
	memcpy(first, head, size);
	return ribbon_open(first, size + nbytes, filter);
}

/*
 * Put level 2 behind the nbytes bytes of level 1, which have room for tail
 * bytes there, or into a larger buffer.
 */
static RibbonStatus
join_levels(const Exact *x, uint8_t **buffer, size_t *nbytes, size_t tail,
			const uint8_t *second, size_t nsecond)
{
	size_t used = body_at(x) + *nbytes;
	RibbonStatus status = RIBBON_OK;

	if (nsecond > tail)
	{
		uint8_t *larger = ribbon_alloc(x->env, (uint64_t) used + nsecond);

		if (larger == NULL)
			return RIBBON_OUT_OF_MEMORY;
		status = ribbon_copy(x->env, larger, *buffer, used);
		ribbon_free(x->env, *buffer);
		*buffer = larger;
	}
	if (status == RIBBON_OK)
		status = ribbon_copy(x->env, *buffer + used, second, nsecond);
	*nbytes += nsecond;
	return status;
}

/* Build level 2, and put it behind level 1; none if all that pass are in it. */
static RibbonStatus
add_level2(Exact *x, uint8_t **buffer, size_t *nbytes, size_t tail)
{
	RibbonFilter filter;
	RibbonHashes passed = {0};
	uint8_t *second = NULL;
	size_t nsecond;
	RibbonStatus status = open_level1(x, *buffer, *nbytes, &filter);

	if (status == RIBBON_OK)
		status = find_passed(x, &filter, &passed);
	if (status == RIBBON_OK && x->head.npassed > 0)
	{
		status = build_body(x, &passed, 0, 0, 0, &second, &nsecond);
		if (status == RIBBON_OK)
			status = join_levels(x, buffer, nbytes, tail, second, nsecond);
		else
			second = NULL;
	}
	ribbon_free(x->env, second);
	ribbon_hashes_free(x->env, &passed);
	return status;
}

/* Write the head, and move the nbytes bytes of the bodies up to it. */
static RibbonStatus
finish(const Exact *x, uint8_t *buffer, size_t nbytes, Result *result)
{
	uint8_t *first = buffer + x->headroom;
	size_t size = ribbon_format_encode_exact(&x->head, first);

	result->buffer = buffer;
	result->nbytes = size + nbytes;
	return ribbon_copy(x->env, first + size, buffer + body_at(x), nbytes);
}

static RibbonStatus
build_plan(Exact *x, unsigned result_bits, Result *result)
{
	bool levels = result_bits != ONE_COLUMN;
	size_t tail = 0;
	uint8_t *buffer = NULL;
	size_t nbytes;
	RibbonStatus status;

	if (levels)
		tail = (size_t) (expected_body(x, 0, expected_passed(x, result_bits)) /
						 100 * 101) +
			256;
	x->head.result_bits = result_bits;
	x->head.npassed = 0;
	status = build_body(x, levels ? &x->members : &x->universe, result_bits,
						body_at(x), tail, &buffer, &nbytes);
	if (status != RIBBON_OK)
		return status;
	if (levels)
		status = add_level2(x, &buffer, &nbytes, tail);
	if (status == RIBBON_OK)
		status = finish(x, buffer, nbytes, result);
	if (status != RIBBON_OK)
		ribbon_free(x->env, buffer);
	return status;
}

/* Build another plan, and keep the smaller result. */
static RibbonStatus
try_plan(Exact *x, unsigned result_bits, Result *best)
{
	Result result;
	RibbonStatus status = build_plan(x, result_bits, &result);

	if (status != RIBBON_OK)
		return status;
	if (best->buffer == NULL || result.nbytes < best->nbytes)
	{
		ribbon_free(x->env, best->buffer);
		*best = result;
	}
	else
		ribbon_free(x->env, result.buffer);
	return RIBBON_OK;
}

/* The set is empty, or all of its universe: nothing but a head. */
static RibbonStatus
build_bare(Exact *x, Result *result)
{
	x->head.result_bits = 0;
	result->buffer = ribbon_alloc(x->env, x->headroom + RIBBON_MAX_HEAD);
	if (result->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	x->head.seed = 0;
	result->nbytes = ribbon_format_encode_exact(&x->head,
												result->buffer + x->headroom);
	return RIBBON_OK;
}

/* Build the smallest plan. */
static RibbonStatus
build_smallest(Exact *x, Result *result)
{
	unsigned bits = 0; /* floor(log2 K) */
	unsigned first, last;
	uint64_t sizes[MAX_PLANS];
	uint64_t least;
	unsigned best = ONE_COLUMN;
	RibbonStatus status = RIBBON_OK;

	while (bits < 32 && x->head.nothers >> (bits + 1) >= x->head.nmembers)
		bits++;
	first = bits < 2 ? 1 : bits - 1;
	last = (unsigned) ribbon_min64(bits + MORE_COLUMNS, 32);
	least = sizes[ONE_COLUMN] = expected_plan(x, ONE_COLUMN);
	for (unsigned r = first; r <= last; r++)
	{
		sizes[r] = expected_plan(x, r);
		if (sizes[r] < least)
		{
			least = sizes[r];
			best = r;
		}
	}
	if (x->universe.n > COUNTED_KEYS)
		return try_plan(x, best, result);

	least += least / COUNTED_SHARE + COUNTED_BYTES;
	if (sizes[ONE_COLUMN] <= least)
		status = try_plan(x, ONE_COLUMN, result);
	for (unsigned r = first; r <= last && status == RIBBON_OK; r++)
		if (sizes[r] <= least)
			status = try_plan(x, r, result);
	return status;
}

static RibbonStatus
check_params(const RibbonExactParams *params)
{
	RibbonParams plain = {.kind = RIBBON_BURR,
						  .width = params->width,
						  .fpr = RIBBON_MAX_FPR,
						  .key_class = params->key_class};

	return ribbon_params_check(&plain);
}

/* Build an exact set of records, sorted and distinct. */
static RibbonStatus
build_exact(const RibbonEnv *env, const RibbonExactParams *params,
			const RibbonHashes *records, size_t headroom, uint8_t **bytes,
			size_t *nbytes)
{
	Exact x = {.env = env,
			   .params = params,
			   .headroom = headroom,
			   .universe = *records,
			   .head = {.key_class = params->key_class,
						.has_as_of = params->has_as_of,
						.as_of = params->as_of}};
	Result result = {NULL, 0};
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
	ribbon_hashes_free(env, &x.members);
	if (status != RIBBON_OK)
	{
		ribbon_free(env, result.buffer);
		return status;
	}
	*bytes = result.buffer;
	*nbytes = result.nbytes;
	return RIBBON_OK;
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

	if (status != RIBBON_OK)
		return status;
	if (nrecords <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, &set);
	if (status == RIBBON_OK)
		status = build_exact(env, params, &set, headroom, bytes, nbytes);
	ribbon_hashes_free(env, &set);
	return status;
}
