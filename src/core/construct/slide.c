/*
 * slide.c - a homogeneous system's band, filled from right to left
 */
#include "construct/slide.h"

#include "construct/salt.h"

RibbonStatus
ribbon_slide_create(const RibbonEnv *env, RibbonSlide *slide,
					const RibbonSystem *system, const RibbonSet *hashes)
{
	RibbonStatus status;

	memset(slide, 0, sizeof(*slide));
	slide->env = env;
	slide->cut = ribbon_cut_homogeneous(system);
	slide->intake = ribbon_intake(&slide->cut, hashes, false);
	if (hashes->n >= system->width)
	{
		slide->sweep = ribbon_alloc(env, sizeof(RibbonSweep));
		if (slide->sweep == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	status = ribbon_set_make_room(env, hashes, &slide->range,
								  slide->intake.most);
	if (status != RIBBON_OK)
		return status;
	return ribbon_band_alloc(env, &slide->memory,
							 ribbon_cut_most_slots(&slide->cut, 2),
							 system->width, 0);
}

void
ribbon_slide_free(const RibbonEnv *env, RibbonSlide *slide)
{
	ribbon_band_free(env, &slide->memory);
	ribbon_set_range_free(env, &slide->range);
	ribbon_free(env, slide->sweep);
}

/* Make slide->band an empty window g, followed by window g + 1 as it is. */
static RibbonStatus
open_window(RibbonSlide *slide, uint64_t g)
{
	const RibbonCut *cut = &slide->cut;
	size_t row = cut->system->width / 8;
	uint64_t begin = ribbon_cut_begin(cut, g);
	uint64_t end = ribbon_cut_begin(cut, g + 2);
	uint64_t nempty = ribbon_cut_begin(cut, g + 1) - begin;
	uint8_t *rows = (uint8_t *) slide->memory.coeff;

	if (g + 1 < cut->nwindows)
		memmove(rows + nempty * row, rows,
				(end - begin - nempty + RIBBON_BAND_PADDING) * row);
	else
		nempty += RIBBON_BAND_PADDING;

	slide->band = slide->memory;
	slide->band.coeff = rows;
	slide->band.first = begin;
	slide->band.nslots = end - begin;
	return ribbon_zero(slide->env, rows, nempty * row);
}

/* Insert the hashes one by one: RIBBON_INTERRUPT_KEYS or so, at most. */
static RibbonStatus
insert_hashes(RibbonSlide *slide)
{
	while (slide->next < slide->end)
		slide->overflowed |= ribbon_band_insert(&slide->band, slide->cut.system,
												*slide->next++, NULL) ==
			RIBBON_BAND_INCONSISTENT;
	return ribbon_interrupted(slide->env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/*
 * End a bucket, and begin that of the next hash (RibbonSweepNext).  Too many
 * hashes for a sweep are as suspicious as an equation that does not fit.
 */
static bool
next_bucket(void *arg)
{
	RibbonSlide *slide = (RibbonSlide *) arg;
	const RibbonSystem *system = slide->cut.system;
	const RibbonBand *band = &slide->band;
	bool ends = band->first + band->nslots < system->nslots;
	RibbonSweepPlace place = {band, system, &ribbon_sweep_buckets,
							  ends ? band->nslots : UINT64_MAX};
	size_t n;

	slide->overflowed |= slide->sweep->code > 0;
	if (slide->overflowed || slide->next == slide->end)
		return false;
	n = ribbon_sweep_begin(slide->sweep, &place, slide->next,
						   (size_t) (slide->end - slide->next));
	slide->overflowed = n > RIBBON_SWEEP_KEYS;
	slide->next += n;
	return !slide->overflowed;
}

/* Insert the hashes of window g. */
static RibbonStatus
fill_window(RibbonSlide *slide, uint64_t g)
{
	RibbonStatus status = ribbon_intake_read(slide->env, &slide->intake, g,
											 &slide->range);

	if (status == RIBBON_OK)
		status = open_window(slide, g);
	if (status != RIBBON_OK)
		return status;
	slide->next = slide->range.words;
	slide->end = slide->next + slide->range.n;
	if (slide->sweep == NULL)
		status = insert_hashes(slide);
	else
	{
		slide->sweep->code = 0;
		status = ribbon_sweep_run(slide->env, slide->sweep, next_bucket, slide);
	}
	return status == RIBBON_OK && slide->overflowed ? RIBBON_SUSPICIOUS :
													  status;
}

/* Window g is final: call take, and report progress. */
static RibbonStatus
take_window(const RibbonSlide *slide, uint64_t g, RibbonSlideTake *take,
			void *arg)
{
	const RibbonEnv *env = slide->env;
	const RibbonCut *cut = &slide->cut;
	uint64_t n = cut->nwindows;
	RibbonStatus status = take(env, arg, &slide->band, ribbon_cut_begin(cut, g),
							   ribbon_cut_begin(cut, g + 1));

	if (status == RIBBON_OK && env->progress != NULL && !slide->again)
		env->progress(env->arg, 0, (double) (n - g) / (double) n);
	return status;
}

RibbonStatus
ribbon_slide_run(RibbonSlide *slide, RibbonSlideTake *take, void *arg)
{
	uint64_t n = slide->cut.nwindows;
	RibbonStatus status = RIBBON_OK;

	slide->intake.nread = 0;
	for (uint64_t g = n; g-- > 0 && status == RIBBON_OK;)
	{
		if (!slide->filled)
			status = fill_window(slide, g);
		if (status == RIBBON_OK && g + 1 < n)
			status = take_window(slide, g + 1, take, arg);
	}
	if (status == RIBBON_OK && !slide->filled)
		status = ribbon_intake_end(&slide->intake);
	if (status == RIBBON_OK)
		status = take_window(slide, 0, take, arg);
	slide->again = true;
	slide->filled = n == 1;
	return status;
}
