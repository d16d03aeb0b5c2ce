/*
 * slide.c - a homogeneous system's band, filled from right to left
 */
#include "build/slide.h"

#include "build/crowd.h"

#ifndef RIBBON_SLIDE_SLOTS
#define RIBBON_SLIDE_SLOTS ((uint64_t) 1 << 19) /* of a window */
#endif
#define WHOLE_BYTES	   ((uint64_t) 16 << 20) /* of a band of wide rows */
#define LANES		   RIBBON_SWEEP_LANES
#define LANES_MIN_KEYS 4096 /* fewer are inserted one by one */
#define BUCKET_SLOTS   512	/* that are swept at once */

/* A key that meets the end of the band: none of its bucket's fits. */
static const RibbonBuckets no_bumping = {.log2_size = 9,
										 .threshold = {0, BUCKET_SLOTS,
													   BUCKET_SLOTS,
													   BUCKET_SLOTS}};

static uint64_t
count_windows(const RibbonRegion *region)
{
	return (region->nslots + RIBBON_SLIDE_SLOTS - 1) / RIBBON_SLIDE_SLOTS;
}

/* The first slot of window g, or behind the last one: so many whole buckets. */
static uint64_t
window_begin(const RibbonRegion *region, uint64_t g)
{
	uint64_t n = count_windows(region);
	uint64_t nbuckets = region->nslots / BUCKET_SLOTS;

	return g == n ?
		region->nslots :
		(nbuckets / n * g + ribbon_min64(nbuckets % n, g)) * BUCKET_SLOTS;
}

/*
 * May the whole band be in memory?  Where an array of words is, there has been
 * room to sort it, 8 bytes for each; rows of 64 bits take little more than that.
 */
static bool
may_be_whole(const RibbonRegion *region, const RibbonWords *words)
{
	return words->store == NULL &&
		(region->width <= 64 ||
		 region->nslots <= WHOLE_BYTES / (region->width / 8));
}

RibbonStatus
ribbon_slide_create(const RibbonEnv *env, RibbonSlide *slide,
					const RibbonRegion *region, const RibbonWords *words)
{
	uint64_t nslots = region->nslots;

	memset(slide, 0, sizeof(*slide));
	slide->env = env;
	slide->region = region;
	slide->words = words;
	slide->whole = may_be_whole(region, words);
	slide->most_words = ribbon_crowd_limit(words->n, count_windows(region));
	if (words->n >= LANES_MIN_KEYS)
	{
		slide->sweeps = ribbon_alloc(env, LANES * sizeof(RibbonSweep));
		if (slide->sweeps == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	if (words->store != NULL)
	{
		slide->room = ribbon_alloc_array(env, slide->most_words,
										 sizeof(uint64_t));
		if (slide->room == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	if (!slide->whole) /* the last window may have a bucket more, in part */
		nslots = ribbon_min64(nslots,
							  2 * window_begin(region, 1) + BUCKET_SLOTS);
	return ribbon_band_alloc(env, &slide->memory, nslots, region->width, 0);
}

void
ribbon_slide_free(const RibbonEnv *env, RibbonSlide *slide)
{
	ribbon_band_free(env, &slide->memory);
	ribbon_free(env, slide->room);
	ribbon_free(env, slide->sweeps);
}

/* The words that start in window g; *aimed if they are too many, or crowd. */
static RibbonStatus
read_words(RibbonSlide *slide, uint64_t g, const uint64_t **words,
		   size_t *nwords, bool *aimed)
{
	const RibbonRegion *region = slide->region;
	uint64_t first = 0;
	uint64_t last = UINT64_MAX;
	RibbonStatus status;

	if (g > 0)
		first = ribbon_region_least_word(region, window_begin(region, g));
	if (g + 1 < count_windows(region))
		last = ribbon_region_least_word(region, window_begin(region, g + 1)) -
			1;
	status = ribbon_words_read(slide->words, first, last, slide->room,
							   (size_t) slide->most_words, words, nwords);
	if (status == RIBBON_OK)
		*aimed = *nwords > slide->most_words ||
			ribbon_is_crowded(*words, *nwords, last, slide->words->n);
	return status;
}

/* Put an empty window g into the band, before window g + 1. */
static RibbonStatus
open_window(RibbonSlide *slide, uint64_t g)
{
	const RibbonRegion *region = slide->region;
	uint64_t n = count_windows(region);
	size_t row = region->width / 8;
	uint64_t begin = window_begin(region, g);
	uint64_t nempty = window_begin(region, g + 1) - begin;
	uint64_t end = region->nslots;
	uint8_t *rows = (uint8_t *) slide->memory.coeff;

	if (g + 2 < n)
		end = window_begin(region, g + 2);
	if (slide->whole)
		rows += begin * row;
	else if (g + 1 < n)
		memmove(rows + nempty * row, rows,
				(window_begin(region, g + 2) - begin - nempty +
				 RIBBON_BAND_PADDING) *
					row);
	if (g + 1 == n)
		nempty += RIBBON_BAND_PADDING;

	slide->band = slide->memory;
	slide->band.coeff = rows;
	slide->band.first = begin;
	slide->band.nslots = end - begin;
	return ribbon_zero(slide->env, rows, nempty * row);
}

/* Insert words one after the other, at most RIBBON_INTERRUPT_KEYS or so. */
static RibbonStatus
insert_words(RibbonSlide *slide, const uint64_t *words, const uint64_t *end)
{
	while (words < end)
		slide->overflowed |= ribbon_band_insert_word(&slide->band,
													 slide->region, *words++) ==
			RIBBON_BAND_INCONSISTENT;
	return ribbon_interrupted(slide->env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/* Begin the sweep of the bucket of a lane's next word, and pass over its words. */
static bool
sweep_bucket(RibbonSlide *slide, unsigned lane)
{
	const RibbonBand *band = &slide->band;
	const uint64_t *words = slide->next[lane];
	uint64_t start = ribbon_region_start(slide->region, *words) - band->first;
	bool ends = band->first + band->nslots < slide->region->nslots;
	size_t n = ribbon_sweep_begin(&slide->sweeps[lane], band, slide->region,
								  &no_bumping, words,
								  (size_t) (slide->end[lane] - words),
								  start / BUCKET_SLOTS * BUCKET_SLOTS,
								  BUCKET_SLOTS,
								  ends ? band->nslots : UINT64_MAX);
	bool few = n <= RIBBON_SWEEP_KEYS;

	/* too many for a sweep: hashes do not come like that by chance */
	if (!few)
	{
		n = RIBBON_SWEEP_KEYS;
		slide->status = insert_words(slide, words, words + n);
	}
	slide->next[lane] += n;
	return few;
}

/* End with a lane's bucket, and begin with its next one (RibbonSweepNext). */
static bool
next_bucket(void *arg, unsigned lane)
{
	RibbonSlide *slide = (RibbonSlide *) arg;

	slide->overflowed |= slide->sweeps[lane].code > 0;
	while (slide->status == RIBBON_OK && !slide->overflowed &&
		   slide->next[lane] < slide->end[lane])
		if (sweep_bucket(slide, lane))
			return true;
	return false;
}

/* Fill a window, several runs of its words side by side. */
static RibbonStatus
fill_window(RibbonSlide *slide, uint64_t g, bool *aimed)
{
	const uint64_t *words;
	size_t nwords;
	RibbonStatus status = read_words(slide, g, &words, &nwords, aimed);

	if (status == RIBBON_OK && !*aimed)
		status = open_window(slide, g);
	if (status != RIBBON_OK || *aimed)
		return status;

	if (nwords < LANES_MIN_KEYS)
		status = insert_words(slide, words, words + nwords);
	else
	{
		for (unsigned l = 0; l < LANES; l++)
		{
			slide->next[l] = words + nwords / LANES * l;
			slide->end[l] = l + 1 < LANES ? words + nwords / LANES * (l + 1) :
											words + nwords;
			slide->sweeps[l].code = 0;
		}
		status = ribbon_sweep_run(slide->env, slide->sweeps, LANES, next_bucket,
								  slide);
		if (status == RIBBON_OK)
			status = slide->status;
	}
	*aimed = slide->overflowed;
	return status;
}

/* Window g is final. */
static RibbonStatus
take_window(const RibbonSlide *slide, uint64_t g, RibbonSlideTake *take,
			void *arg)
{
	const RibbonEnv *env = slide->env;
	uint64_t n = count_windows(slide->region);
	RibbonStatus status = take(env, arg, &slide->band,
							   window_begin(slide->region, g),
							   window_begin(slide->region, g + 1));

	if (status == RIBBON_OK && env->progress != NULL &&
		slide->nruns < RIBBON_SLIDE_RUNS)
		env->progress(env->arg, 0,
					  (slide->nruns + (double) (n - g) / (double) n) /
						  RIBBON_SLIDE_RUNS);
	return status;
}

RibbonStatus
ribbon_slide_run(RibbonSlide *slide, RibbonSlideTake *take, void *arg,
				 bool *aimed)
{
	uint64_t n = count_windows(slide->region);
	RibbonStatus status = RIBBON_OK;

	*aimed = false;
	for (uint64_t g = n; g-- > 0 && status == RIBBON_OK;)
	{
		if (!slide->filled)
			status = fill_window(slide, g, aimed);
		if (status != RIBBON_OK || *aimed)
			return status;
		if (g + 1 < n)
			status = take_window(slide, g + 1, take, arg);
	}
	if (status == RIBBON_OK)
		status = take_window(slide, 0, take, arg);
	slide->nruns++;
	if (slide->whole)
	{
		slide->filled = true;
		slide->band.nslots = slide->region->nslots;
	}
	return status;
}
