/*
 * exact_form.c - which exact set takes the fewest bytes
 */
#include "compose/exact_form.h"

#include "construct/planes.h"

/* Of no more keys than this, several forms are built, */
#define COUNTED_KEYS (UINT64_C(1) << 20)

/* namely those within a 128th and so many bytes of the least. */
#define COUNTED_SHARE 128
#define COUNTED_BYTES 8

/*
 * A rate may come out lower than it was asked for only if that saves more than
 * a 300th and so many bytes.
 */
#define RATE_SHARE 300
#define RATE_BYTES 8

/* A filter at the rate is worth a try if so many others pass, at most. */
#define MOST_UNLUCKY 0.25

uint64_t
ribbon_exact_expect_passed(const RibbonSides *sides, RibbonResultBits form)
{
	uint64_t passed = sides->nmost >> form.bits;

	if (form.wide > 0)
		passed -= (uint64_t) ((double) passed * form.wide /
							  (2 * RIBBON_SHARES));
	return sides->nrare + passed;
}

bool
ribbon_exact_needs_column(const RibbonSides *sides, RibbonResultBits form,
						  uint64_t npassed)
{
	return npassed > 0 ||
		ribbon_result_bits_mean(form) + RIBBON_NUDGE / (double) RIBBON_SHARES <
		ribbon_result_bits_mean(sides->rate);
}

uint64_t
ribbon_exact_expect_column(const RibbonSides *sides, uint64_t nkeys)
{
	RibbonPlaneParams column = {.width = sides->params->width,
								.in_map = true,
								.value_bits = 1};

	return ribbon_size_of_plane(&column, nkeys);
}

/* The bytes that a form can be expected to take, without head. */
static uint64_t
expect_form(const RibbonSides *sides, RibbonResultBits form)
{
	uint64_t npassed = ribbon_exact_expect_passed(sides, form);
	RibbonPlaneParams filter = {.width = sides->params->width, .check = form};

	if (!ribbon_has_check(form))
		return ribbon_exact_expect_column(sides, npassed);
	return ribbon_size_of_plane(&filter, sides->nrare) +
		(ribbon_exact_needs_column(sides, form, npassed - sides->nrare) ?
			 ribbon_exact_expect_column(sides, npassed) :
			 0);
}

bool
ribbon_exact_try_filter(const RibbonSides *sides)
{
	double fpr = sides->params->fpr;

	return fpr < 1 && (double) sides->nmost * fpr <= MOST_UNLUCKY;
}

unsigned
ribbon_exact_forms(const RibbonSides *sides,
				   RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS])
{
	double fpr = sides->params->fpr;
	/* of a rated set, masks are the uppermost bit of 32 */
	unsigned most = RIBBON_MAX_RESULT_BITS - (fpr < 1);
	unsigned bits = 0; /* floor(log2 K) */
	RibbonResultBits tried[RIBBON_MAX_EXACT_FORMS];
	uint64_t sizes[RIBBON_MAX_EXACT_FORMS];
	unsigned ntried = 1, nforms = 0;
	unsigned best = 0;
	uint64_t limit;

	tried[0] = ribbon_result_bits_for(fpr < 0.5 ? 2 * fpr : 1);
	while (bits < most && sides->nmost >> (bits + 1) >= sides->nrare)
		bits++;
	for (unsigned r = bits < 2 ? 1 : bits - 1;
		 r <= bits + RIBBON_MORE_EXACT_BITS && r <= most; r++)
		if (r > tried[0].bits)
			tried[ntried++] = (RibbonResultBits){r, 0};
	for (unsigned i = 0; i < ntried; i++)
	{
		sizes[i] = expect_form(sides, tried[i]);
		if (sizes[i] < sizes[best])
			best = i;
	}
	if (fpr < 1 &&
		sizes[0] <= sizes[best] + sizes[best] / RATE_SHARE + RATE_BYTES)
	{
		best = 0;
		ntried = 1;
	}
	forms[0] = tried[best];
	if (sides->nrare + sides->nmost > COUNTED_KEYS)
		return 1;
	limit = sizes[best] + sizes[best] / COUNTED_SHARE + COUNTED_BYTES;
	for (unsigned i = 0; i < ntried; i++)
		if (sizes[i] <= limit)
			forms[nforms++] = tried[i];
	return nforms;
}
