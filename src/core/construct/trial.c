/*
 * trial.c - a homogeneous system solved before its result bits are known
 */
#include "construct/trial.h"

#include "format/icml.h"
#include "format/rate.h"
#include "solve/solver.h"
#include "solve/span.h"

RibbonResultBits
ribbon_trial_columns(RibbonResultBits result_bits)
{
	RibbonResultBits all = {result_bits.bits, RIBBON_SHARES};

	if (all.bits == RIBBON_MAX_RESULT_BITS)
		all.wide = 0;
	return all;
}

static size_t
doubtful_bytes(const RibbonSystem *system)
{
	return (size_t) (system->nslots / 64 + 1) * sizeof(uint64_t);
}

static void
init_system(RibbonTrial *trial, unsigned width, uint64_t nslots)
{
	ribbon_system_init(&trial->system, nslots, width, false,
					   ribbon_trial_columns(trial->result_bits));
	trial->system.slots = trial->run.slots;
}

RibbonStatus
ribbon_trial_create(const RibbonEnv *env, RibbonTrial *trial,
					const RibbonSlide *slide, RibbonResultBits result_bits,
					uint8_t *slots)
{
	const RibbonSystem *system = slide->system;
	uint64_t nslots = system->nslots;
	RibbonStatus status;

	memset(trial, 0, sizeof(*trial));
	trial->result_bits = result_bits;
	trial->nslots = nslots;
	if (!slide->whole)
		nslots = ribbon_slide_most_slots(slide) + system->width;
	init_system(trial, system->width, nslots);
	if (!slide->whole)
	{
		slots = ribbon_alloc(env, ribbon_icml_bytes(&trial->system));
		if (slots == NULL)
			return RIBBON_OUT_OF_MEMORY;
		trial->window = slots;
	}
	trial->system.slots = slots;
	trial->run = ribbon_backsubst_all(NULL, &trial->system, RIBBON_FREE_UNIT,
									  slots);
	trial->doubtful = ribbon_alloc(env, doubtful_bytes(&trial->system));
	if (trial->doubtful == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_zero(env, trial->doubtful, doubtful_bytes(&trial->system));
	if (status != RIBBON_OK)
		return status;
	return ribbon_span_create(env, system, &trial->span);
}

/*
 * Make room for a window of so many slots.  The first block of the one on the
 * right, if there is one, goes behind it.
 */
static void
begin_window(RibbonTrial *trial, uint64_t nslots, bool last)
{
	unsigned width = trial->system.width;
	size_t block = ribbon_icml_columns(&trial->system, 0) * width / 8;
	size_t behind;

	init_system(trial, width, last ? nslots : nslots + width);
	behind = (size_t) ribbon_icml_bytes(&trial->system);
	if (!last)
	{
		behind -= block;
		memmove(trial->window + behind, trial->window, block);
	}
	memset(trial->window, 0, behind);
	memset(trial->doubtful, 0, doubtful_bytes(&trial->system));
}

/* Solve some slots, and count their part of P (RibbonSlideTake). */
static RibbonStatus
take_slots(const RibbonEnv *env, void *arg, const RibbonBand *band,
		   uint64_t begin, uint64_t end)
{
	RibbonTrial *trial = (RibbonTrial *) arg;
	RibbonBand local = *band;
	uint64_t first = 0;
	RibbonStatus status;

	if (trial->window != NULL)
	{
		/* slots are counted from the window's first one */
		first = begin;
		local.first -= first;
		begin_window(trial, end - begin, end == trial->nslots);
	}
	trial->run.band = &local;
	trial->run.begin = begin - first;
	trial->run.end = end - first;
	status = ribbon_backsubst(env, &trial->run);
	if (status == RIBBON_OK)
		status = ribbon_rate_doubt(env, &trial->system, begin - first,
								   ribbon_min64(end - first,
												trial->system.nstarts),
								   trial->doubtful);
	if (status == RIBBON_OK)
		status = ribbon_span_count(env, trial->span, band, begin, end,
								   trial->doubtful, first);
	return status;
}

RibbonStatus
ribbon_trial_run(RibbonTrial *trial, RibbonSlide *slide, unsigned nbits,
				 double *probability, bool *suspicious)
{
	RibbonStatus status = ribbon_slide_run(slide, take_slots, trial,
										   suspicious);

	if (status == RIBBON_OK && !*suspicious)
		*probability = ribbon_span_mean(trial->span, nbits);
	return status;
}

void
ribbon_trial_free(const RibbonEnv *env, RibbonTrial *trial)
{
	ribbon_free(env, trial->window);
	ribbon_free(env, trial->doubtful);
	ribbon_span_free(env, trial->span);
}
