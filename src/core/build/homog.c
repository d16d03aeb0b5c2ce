/*
 * homog.c - homogeneous ribbon: every key's result is zero
 *
 * The columns are chosen last: banding does not depend on them, and only the
 * finished band tells P, so that the FPR comes out as asked for although P
 * varies from set to set, and although keys may have been chosen to raise it.
 * Then the solution tells its own rate, and where that is another, which in
 * small sets it may be, columns are chosen once more.
 */
#include "build/homog.h"

#include "build/params.h"
#include "build/salt.h"
#include "build/slide.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/rate.h"
#include "solve/solver.h"
#include "solve/span.h"

#define MORE_SLOTS_TRIES 3 /* before the hashes are blamed, and salted */
#define FAIR_SALTS		 8 /* before the filter may be as large as it takes */
#define COLUMNS_TRIES	 4 /* before there must be more slots */
#define SAME_RATE		 1.003

/*
 * A filter is not by chance so much larger than others.  Another salt is no
 * more work than another size, and the better choice, but each one is bad for
 * some sets, and those can be looked for: so what may be larger grows with the
 * number of salts.
 */
#define LARGER			 1.04
#define LARGER_SALTED	 1.02
#define LARGER_EACH_SALT 0.01
#define LARGER_BYTES	 12 /* with few keys, filters vary more */
#define SALT_BYTES		 8

/* A filter under construction. */
typedef struct Homog
{
	const RibbonEnv *env;
	double fpr;
	RibbonFilter filter;
	RibbonHashes hashes;
	uint64_t nslots;
	double usual_bytes;
	unsigned nsalts; /* that have been tried */
	size_t headroom;
	uint8_t *buffer; /* of the finished filter, or NULL */
} Homog;

static double
slot_bytes(const Homog *h, RibbonResultBits result_bits)
{
	RibbonSystem system;

	ribbon_system_init(&system, h->nslots, (unsigned) h->filter.width, false,
					   result_bits);
	return (double) ribbon_icml_bytes(&system);
}

/*
 * What slots take in sets like most.  The wide rows that are there for P alone,
 * which may be much less than expected, need not begin a block.
 */
static double
usual_bytes(const Homog *h)
{
	double probability = ribbon_params_homog_dependence(h->filter.width,
														h->filter.nkeys,
														h->nslots);
	RibbonResultBits result_bits = ribbon_result_bits_beside(h->fpr,
															 probability);

	double rows = ribbon_result_bits_mean(result_bits) * (double) h->nslots / 8;
	double blocks = slot_bytes(h, ribbon_result_bits_for(h->fpr));

	return rows > blocks ? rows : blocks;
}

/* Is a filter of so many columns much larger than those of other sets? */
static bool
is_larger(const Homog *h, RibbonResultBits result_bits)
{
	double limit = h->filter.salted ?
		(LARGER_SALTED + LARGER_EACH_SALT * h->nsalts) * h->usual_bytes +
			LARGER_BYTES - SALT_BYTES :
		LARGER * h->usual_bytes + LARGER_BYTES;

	return h->nsalts <= FAIR_SALTS && slot_bytes(h, result_bits) > limit;
}

/* With this P, can columns make up the FPR, and not too many of them? */
static bool
leaves_room(const Homog *h, double probability)
{
	double chance = ribbon_result_bits_chance_beside(h->fpr, probability);

	return probability <= h->fpr / 2 &&
		ribbon_rate_of(probability, chance) <= SAME_RATE * h->fpr &&
		!is_larger(h, ribbon_result_bits_beside(h->fpr, probability));
}

/* Count how many non-members' rows follow from some slots' (RibbonSlideTake). */
static RibbonStatus
count_slots(const RibbonEnv *env, void *arg, const RibbonBand *band,
			uint64_t begin, uint64_t end)
{
	(void) end;
	return ribbon_span_count(env, (RibbonSpan *) arg, band, begin);
}

/* Band the hashes, and tell P. */
static RibbonStatus
band_hashes(Homog *h, RibbonSlide *slide, double *probability, bool *suspicious)
{
	RibbonResultBits result_bits = ribbon_result_bits_for(h->fpr);
	RibbonSpan *span;
	RibbonStatus status = ribbon_span_create(h->env, slide->system, &span);

	if (status == RIBBON_OK)
		status = ribbon_slide_run(slide, count_slots, span, suspicious);
	if (status == RIBBON_OK && !*suspicious)
		*probability =
			ribbon_span_mean(span, result_bits.bits + (result_bits.wide > 0));
	ribbon_span_free(h->env, span);
	return status;
}

/* Solve some slots (RibbonSlideTake). */
static RibbonStatus
solve_slots(const RibbonEnv *env, void *arg, const RibbonBand *band,
			uint64_t begin, uint64_t end)
{
	RibbonBacksubst *run = (RibbonBacksubst *) arg;

	run->band = band;
	run->begin = begin;
	run->end = end;
	return ribbon_backsubst(env, run);
}

/*
 * Write the filter with columns for this P, and count what P it has, for the
 * FPR to be its rate.
 */
static RibbonStatus
solve(Homog *h, RibbonSlide *slide, double *probability)
{
	RibbonFilter *filter = &h->filter;
	RibbonResultBits result_bits = ribbon_result_bits_beside(h->fpr,
															 *probability);
	RibbonBacksubst run;
	RibbonStatus status;
	bool suspicious; /* it was not the first time, with the same hashes */

	filter->result_bits = result_bits.bits;
	filter->wide = filter->split = result_bits.wide;
	status = ribbon_format_create(h->env, filter, h->headroom, &h->buffer);
	if (status != RIBBON_OK)
	{
		h->buffer = NULL;
		return status;
	}
	run = ribbon_backsubst_all(NULL, &filter->systems[0], RIBBON_FREE_UNIT,
							   (uint8_t *) filter->systems[0].slots);
	status = ribbon_slide_run(slide, solve_slots, &run, &suspicious);
	if (status == RIBBON_OK)
		status = ribbon_rate_excess(h->env, &filter->systems[0], result_bits,
									probability);
	if (status == RIBBON_OK)
	{
		filter->dependence = ribbon_format_encode_dependence(*probability);
		ribbon_format_encode(filter, h->buffer + h->headroom);
	}
	return status;
}

static void
discard(Homog *h)
{
	ribbon_free(h->env, h->buffer);
	h->buffer = NULL;
}

/*
 * Does the finished filter have the rate asked for?  (Where non-members are too
 * seldom positives, no P says so; then it has chance's.)
 */
static bool
has_rate(const Homog *h)
{
	double rate = ribbon_fpr(&h->filter);

	return rate <= SAME_RATE * h->fpr && rate * SAME_RATE >= h->fpr;
}

/* Find the columns that give the rate asked for, if they are not too many. */
static RibbonStatus
finish(Homog *h, RibbonSlide *slide, double probability)
{
	for (int i = 0; i < COLUMNS_TRIES && leaves_room(h, probability); i++)
	{
		RibbonStatus status = solve(h, slide, &probability);

		if (status == RIBBON_OK && has_rate(h))
			return RIBBON_OK;
		discard(h);
		if (status != RIBBON_OK)
			return status;
	}
	return RIBBON_OK;
}

/*
 * Build the filter of so many slots, unless they are too few, or the hashes *suspicious.
 * Salted hashes seldom look so, but if they do, another salt it is: their band
 * need not be larger than others', and a store's hashes never come into memory.
 */
static RibbonStatus
try_slots(Homog *h, bool *suspicious)
{
	RibbonSystem *system = &h->filter.systems[0];
	double probability = 1;
	RibbonSlide slide;
	RibbonStatus status;

	ribbon_system_init(system, h->nslots, (unsigned) h->filter.width, false,
					   ribbon_result_bits_for(h->fpr));
	*suspicious = false;
	status = ribbon_slide_create(h->env, &slide, system, &h->hashes);
	if (status == RIBBON_OK)
		status = band_hashes(h, &slide, &probability, suspicious);
	if (status == RIBBON_OK && !*suspicious)
		status = finish(h, &slide, probability);
	ribbon_slide_free(h->env, &slide);
	return status;
}

RibbonStatus
ribbon_homog_build(const RibbonEnv *env, const RibbonParams *params,
				   RibbonHashes *hashes, size_t headroom, uint8_t **bytes,
				   size_t *nbytes)
{
	uint64_t usual_nslots = ribbon_params_homog_slots(params->width,
													  params->fpr, hashes->n);
	Homog h = {.env = env,
			   .fpr = params->fpr,
			   .hashes = *hashes,
			   .nslots = usual_nslots,
			   .headroom = headroom};
	RibbonStatus status = RIBBON_OK;

	hashes->owned = false; /* h.hashes is to be freed instead, if it is */
	ribbon_format_init_empty(&h.filter, params->key_class);
	h.filter.kind = RIBBON_HOMOGENEOUS;
	h.filter.nzones[0] = 1;
	h.filter.nkeys = hashes->n;
	h.filter.width = params->width;
	h.usual_bytes = usual_bytes(&h);

	for (int nsizes = 1; status == RIBBON_OK && h.buffer == NULL;)
	{
		bool suspicious;

		status = try_slots(&h, &suspicious);
		if (status != RIBBON_OK || h.buffer != NULL)
			break;
		if (suspicious || h.filter.salted || nsizes == MORE_SLOTS_TRIES)
		{
			status = ribbon_salt_hashes(env, &h.filter, &h.hashes);
			h.nsalts++;
			h.nslots = usual_nslots;
			if (h.nsalts > FAIR_SALTS)
				h.nslots += (h.nsalts - FAIR_SALTS) * (usual_nslots / 32 + 4);
		}
		else
		{
			h.nslots += h.nslots / 32 + 4;
			nsizes++;
		}
	}
	ribbon_hashes_free(env, &h.hashes);
	if (status != RIBBON_OK)
		return status;
	*bytes = h.buffer;
	*nbytes = h.filter.total_bytes;
	return RIBBON_OK;
}
