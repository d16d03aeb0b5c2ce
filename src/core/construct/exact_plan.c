/*
 * exact_plan.c - which exact set takes the fewest bytes
 */
#include "construct/exact_plan.h"

#include "base/bits.h"
#include "base/power.h"
#include "construct/params.h"
#include "construct/size.h"

/* Of no more keys than this, several plans are built, */
#define COUNTED_KEYS (UINT64_C(1) << 20)

/* namely those within a 128th and so many bytes of the least. */
#define COUNTED_SHARE 128
#define COUNTED_BYTES 8

/* Plans have floor(log2 K) columns, one less, or up to so many more. */
#define MORE_COLUMNS 5

static const RibbonResultBits one_bit = {1, 0};

RibbonParams
ribbon_exact_plane_params(const RibbonExactShape *shape, unsigned result_bits,
						  uint64_t nkeys)
{
	RibbonResultBits columns = {result_bits, 0};
	RibbonParams params = {.kind = RIBBON_BURR,
						   .width = shape->params->width,
						   .fpr = ribbon_power_of_two(-(int) result_bits),
						   .key_class = shape->params->key_class};

	params.width = result_bits == 0 ?
		ribbon_params_width(params.width, RIBBON_IN_MAP, one_bit, nkeys) :
		ribbon_params_width(params.width, RIBBON_IN_FILTER, columns, nkeys);
	return params;
}

static uint64_t
expect_body(const RibbonExactShape *shape, unsigned result_bits, uint64_t nkeys)
{
	RibbonResultBits columns = {result_bits, 0};
	RibbonParams params = ribbon_exact_plane_params(shape, result_bits, nkeys);

	return ribbon_size_of_body(params.width,
							   result_bits == 0 ? one_bit : columns, nkeys);
}

uint64_t
ribbon_exact_expect_column(const RibbonExactShape *shape, uint64_t nkeys)
{
	return expect_body(shape, 0, nkeys);
}

uint64_t
ribbon_exact_expect_passed(const RibbonExactShape *shape, unsigned result_bits)
{
	return shape->nrare + (shape->nothers >> result_bits);
}

/* The bytes that a plan can be expected to take, without head. */
static uint64_t
expect_plan(const RibbonExactShape *shape, unsigned result_bits)
{
	uint64_t npassed = ribbon_exact_expect_passed(shape, result_bits);

	if (result_bits == RIBBON_ONE_COLUMN)
		return expect_body(shape, 0, npassed);
	return expect_body(shape, result_bits, shape->nrare) +
		(npassed > shape->nrare ? expect_body(shape, 0, npassed) : 0);
}

unsigned
ribbon_exact_plans(const RibbonExactShape *shape,
				   unsigned plans[RIBBON_MAX_EXACT_PLANS])
{
	unsigned bits = 0; /* floor(log2 K) */
	unsigned tried[RIBBON_MAX_EXACT_PLANS] = {RIBBON_ONE_COLUMN};
	uint64_t sizes[RIBBON_MAX_EXACT_PLANS];
	unsigned ntried = 1, nplans = 0;
	unsigned best = 0;
	uint64_t limit;

	while (bits < RIBBON_MAX_RESULT_BITS &&
		   shape->nothers >> (bits + 1) >= shape->nrare)
		bits++;
	for (unsigned r = bits < 2 ? 1 : bits - 1;
		 r <= bits + MORE_COLUMNS && r <= RIBBON_MAX_RESULT_BITS; r++)
		tried[ntried++] = r;
	for (unsigned i = 0; i < ntried; i++)
	{
		sizes[i] = expect_plan(shape, tried[i]);
		if (sizes[i] < sizes[best])
			best = i;
	}
	plans[0] = tried[best];
	if (shape->nrare + shape->nothers > COUNTED_KEYS)
		return 1;
	limit = sizes[best] + sizes[best] / COUNTED_SHARE + COUNTED_BYTES;
	for (unsigned i = 0; i < ntried; i++)
		if (sizes[i] <= limit)
			plans[nplans++] = tried[i];
	return nplans;
}
