/*
 * homog.c - homogeneous ribbon: every key's result is zero
 *
 * The columns are chosen last: banding does not depend on them, and only the
 * finished band tells P, so that the FPR comes out as asked for although P
 * varies from set to set, and although keys may have been chosen to raise it.
 */
#include "homog.h"

#include "backsubst.h"
#include "format.h"
#include "icml.h"
#include "params.h"
#include "salt.h"
#include "span.h"
#include "sweep.h"

#define LANES			 RIBBON_SWEEP_LANES
#define LANES_MIN_KEYS	 4096 /* fewer are inserted one by one */
#define BUCKET_SLOTS	 512  /* that are swept at once */
#define MORE_SLOTS_TRIES 3	  /* before the hashes are blamed, and salted */

/* Several lanes band a run of the sorted words each, [next, end). */
typedef struct Filling
{
	const RibbonEnv *env;
	const RibbonBand *band;
	const RibbonRegion *region;
	const uint64_t *next[LANES];
	const uint64_t *end[LANES];
	RibbonSweep sweeps[LANES];
	RibbonStatus status;
} Filling;

/* Insert words one after the other, at most RIBBON_INTERRUPT_KEYS or so. */
static RibbonStatus
insert_words(const RibbonEnv *env, const RibbonBand *band,
			 const RibbonRegion *region, const uint64_t *words,
			 const uint64_t *end)
{
	while (words < end)
		ribbon_band_insert_word(band, region, *words++);
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/* Begin with a lane's next bucket (RibbonSweepNext). */
static bool
next_bucket(void *arg, unsigned lane)
{
	Filling *f = (Filling *) arg;
	const uint64_t **next = &f->next[lane];

	while (f->status == RIBBON_OK && *next < f->end[lane])
	{
		uint64_t bucket = ribbon_region_start(f->region, **next) / BUCKET_SLOTS;
		size_t n = ribbon_sweep_begin(&f->sweeps[lane], f->band, f->region,
									  NULL, *next,
									  (size_t) (f->end[lane] - *next),
									  bucket * BUCKET_SLOTS, BUCKET_SLOTS,
									  UINT64_MAX);
		bool few = n <= RIBBON_SWEEP_KEYS;

		/* too many for a sweep: hashes do not come like that by chance */
		if (!few)
		{
			n = RIBBON_SWEEP_KEYS;
			f->status = insert_words(f->env, f->band, f->region, *next,
									 *next + n);
		}
		*next += n;
		if (few)
			return true;
	}
	return false;
}

/*
 * Band the words.  Which slots are filled does not depend on their order, so
 * several runs of them are banded side by side.
 */
static RibbonStatus
fill(const RibbonEnv *env, const RibbonBand *band, const RibbonRegion *region,
	 const uint64_t *words, size_t nwords)
{
	const uint64_t *end = words + nwords;
	RibbonStatus status;
	Filling *f;

	if (nwords < LANES_MIN_KEYS)
		return insert_words(env, band, region, words, end);
	f = ribbon_alloc(env, sizeof(Filling));
	if (f == NULL)
		return RIBBON_OUT_OF_MEMORY;
	f->env = env;
	f->band = band;
	f->region = region;
	f->status = RIBBON_OK;
	for (unsigned l = 0; l < LANES; l++)
	{
		f->next[l] = words + nwords / LANES * l;
		f->end[l] = l + 1 < LANES ? words + nwords / LANES * (l + 1) : end;
	}
	status = ribbon_sweep_run(env, f->sweeps, LANES, next_bucket, f);
	if (status == RIBBON_OK)
		status = f->status;
	ribbon_free(env, f);
	return status;
}

/* With this P, can columns make up the FPR, and not too many of them? */
static bool
leaves_room(double fpr, double probability)
{
	double chance = ribbon_params_homog_chance(fpr, probability);

	return probability <= fpr / 2 &&
		probability + (1 - probability) * chance <= 1.003 * fpr;
}

/* Band the words into nslots slots, and tell P. */
static RibbonStatus
band_words(const RibbonEnv *env, RibbonFilter *filter, RibbonBand *band,
		   uint64_t nslots, const uint64_t *words, size_t nwords, double fpr,
		   double *probability)
{
	RibbonColumns columns = ribbon_params_columns(fpr);
	RibbonRegion *region = &filter->zones[0];
	RibbonStatus status;

	ribbon_region_init(region, nslots, (unsigned) filter->width, false,
					   columns);
	status = ribbon_band_create(env, band, nslots, (unsigned) filter->width, 0);
	if (status == RIBBON_OK)
		status = fill(env, band, region, words, nwords);
	if (status == RIBBON_OK)
		status = ribbon_span_probability(env, band, region,
										 columns.columns + (columns.wide > 0),
										 probability);
	return status;
}

/* Choose the columns for this P, and write the filter. */
static RibbonStatus
finish(const RibbonEnv *env, RibbonFilter *filter, const RibbonBand *band,
	   double fpr, double probability, size_t headroom, uint8_t **bytes,
	   size_t *nbytes)
{
	RibbonColumns columns;
	RibbonBacksubst run;
	RibbonStatus status;
	uint8_t *buffer;

	filter->dependence = ribbon_format_encode_dependence(probability);
	columns = ribbon_params_columns(ribbon_params_homog_chance(fpr,
															   probability));
	filter->columns = columns.columns;
	filter->wide = filter->split = columns.wide;

	status = ribbon_format_create(env, filter, headroom, &buffer);
	if (status != RIBBON_OK)
		return status;
	run = ribbon_backsubst_all(band, &filter->zones[0], RIBBON_FREE_UNIT,
							   (uint8_t *) filter->zones[0].slots);
	status = ribbon_backsubst(env, &run);
	if (status != RIBBON_OK)
	{
		ribbon_free(env, buffer);
		return status;
	}
	*bytes = buffer;
	*nbytes = filter->total_bytes;
	return RIBBON_OK;
}

RibbonStatus
ribbon_homog_build(const RibbonEnv *env, const RibbonParams *params,
				   RibbonWords *hashes, size_t headroom, uint8_t **bytes,
				   size_t *nbytes)
{
	uint64_t usual_nslots = ribbon_params_homog_slots(params->width,
													  params->fpr, hashes->n);
	uint64_t nslots = usual_nslots;
	RibbonFilter filter;
	RibbonWords salted;
	RibbonBand band;
	RibbonStatus status;

	if (hashes->store != NULL)
	{
		status = ribbon_words_load(env, hashes);
		if (status != RIBBON_OK)
			return status;
	}
	ribbon_format_init_empty(&filter, params->key_class);
	filter.kind = RIBBON_HOMOGENEOUS;
	filter.nzones[0] = 1;
	filter.nkeys = hashes->n;
	filter.width = params->width;
	memset(&band, 0, sizeof(band));

	for (int attempt = 1;; attempt++)
	{
		double probability = 0;

		status = band_words(env, &filter, &band, nslots, hashes->array,
							(size_t) hashes->n, params->fpr, &probability);
		if (status == RIBBON_OK && !leaves_room(params->fpr, probability))
		{
			ribbon_band_free(env, &band);
			nslots += nslots / 32 + 4;
			if (attempt == MORE_SLOTS_TRIES)
			{
				nslots = usual_nslots;
				status = ribbon_salt_words(env, &filter, hashes, &salted);
			}
			if (status == RIBBON_OK)
				continue;
		}
		else if (status == RIBBON_OK)
			status = finish(env, &filter, &band, params->fpr, probability,
							headroom, bytes, nbytes);
		ribbon_band_free(env, &band);
		return status;
	}
}
