/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 *
 * The layer is built from right to left, window by window (window.h).  A body
 * is filled; then the tail, for which it takes the window to the right; then
 * the window is solved.  If there are threads, each fills the body of one
 * window first.
 */
#include "construct/layer.h"

#include "construct/intake.h"
#include "construct/salt.h"
#include "construct/window.h"
#include "solve/backsubst.h"

#define BUMPED_AT_ONCE 512 /* words per call of ribbon_set_collect */

/* A window in memory, and its hashes. */
typedef struct Part
{
	RibbonWindow window;
	RibbonSetRange range;
} Part;

/* A layer that is being filled. */
typedef struct Filling
{
	const RibbonEnv *env;
	const RibbonLayer *layer;
	RibbonCut cut;
	RibbonIntake intake;
	const RibbonSet *hashes;
	RibbonSet *bumped;
	Part *parts;
	unsigned nparts;
	uint64_t last; /* number of parts[0]; parts[1] is to its left, and so on */

	/* the rows of the seam, and its codes, from the window to the right */
	RibbonBand seam;
	uint8_t seam_codes[RIBBON_GROUP_BUCKETS];
} Filling;

static RibbonStatus
create_parts(Filling *f)
{
	const RibbonSystem *system = f->layer->system;
	RibbonStatus status =
		ribbon_band_alloc(f->env, &f->seam, ribbon_cut_seam(&f->cut),
						  system->width,
						  system->result_bits + (system->wide > 0));

	if (status == RIBBON_OK)
		f->parts = ribbon_alloc_zeroed(f->env, f->nparts * sizeof(Part));
	if (f->parts == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < f->nparts && status == RIBBON_OK; i++)
	{
		status = ribbon_window_create(f->env, &f->parts[i].window, &f->cut,
									  f->layer->supply);
		if (status == RIBBON_OK)
			status = ribbon_set_make_room(f->env, f->hashes, &f->parts[i].range,
										  f->intake.most);
	}
	return status;
}

static void
free_parts(Filling *f)
{
	for (unsigned i = 0; f->parts != NULL && i < f->nparts; i++)
	{
		ribbon_window_free(f->env, &f->parts[i].window);
		ribbon_set_range_free(f->env, &f->parts[i].range);
	}
	ribbon_free(f->env, f->parts);
	ribbon_band_free(f->env, &f->seam);
}

/* Fill the body of parts[i] (RibbonTask). */
static RibbonStatus
fill_body(const RibbonEnv *env, void *arg, unsigned i)
{
	Filling *f = (Filling *) arg;
	Part *part = &f->parts[i];
	RibbonStatus status = ribbon_window_begin(env, &part->window, f->last - i,
											  part->range.words, part->range.n);

	return status == RIBBON_OK ? ribbon_window_fill_body(env, &part->window) :
								 status;
}

/*
 * Add the next layer's hashes of a part's bumped keys to bumped, with their
 * value words if they have any.  stride is that of the hashes, a constant.
 */
static inline __attribute__((always_inline)) RibbonStatus
collect(Filling *f, const Part *part, size_t stride)
{
	const RibbonSystem *system = f->layer->system;
	const RibbonBuckets *buckets = f->layer->buckets;
	uint64_t next[BUMPED_AT_ONCE];
	uint64_t bucket_end = 0; /* starts from here on are in other buckets */
	uint64_t limit = 0;		 /* starts below it are bumped */
	size_t n = 0;			 /* words */

	for (size_t i = 0; i < part->range.n; i++)
	{
		uint64_t hash = part->range.words[i * stride];
		uint64_t start = ribbon_system_start(system, hash);

		if (RIBBON_UNLIKELY(start >= bucket_end))
		{
			uint64_t bucket = start >> buckets->log2_size;

			bucket_end = (bucket + 1) << buckets->log2_size;
			limit = ribbon_buckets_limit(f->layer->thresholds, buckets, bucket);
		}
		if (start < limit)
		{
			next[n++] = ribbon_hash_next_layer(hash);
			if (stride > 1)
				next[n++] = part->range.words[i * stride + 1];
			if (n == BUMPED_AT_ONCE)
			{
				RibbonStatus status = ribbon_set_collect(f->bumped, next,
														 n / stride);

				if (status != RIBBON_OK)
					return status;
				n = 0;
			}
		}
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(f->env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_set_collect(f->bumped, next, n / stride);
}

static RibbonStatus
collect_bumped(Filling *f, const Part *part)
{
	return f->hashes->kind == RIBBON_HASHES ?
		collect(f, part, 1) :
		collect(f, part, RIBBON_RECORD_WORDS);
}

/* Solve a window, whose tail has been filled. */
static RibbonStatus
solve_window(Filling *f, RibbonWindow *window)
{
	RibbonBacksubst task = ribbon_backsubst_all(&window->band, f->layer->system,
												RIBBON_FREE_ZERO,
												f->layer->slots);

	task.end = window->at.seam_end;
	if (window->at.begin > 0)
		task.begin = window->at.begin + ribbon_cut_seam(&f->cut);
	return ribbon_backsubst(f->env, &task);
}

/*
 * Fill the tail, solve the window, collect what it bumps.  RIBBON_SUSPICIOUS: a
 * bucket has too many.
 */
static RibbonStatus
finish_part(Filling *f, Part *part)
{
	RibbonWindow *window = &part->window;
	RibbonStatus status = ribbon_window_fill_tail(f->env, window, &f->seam,
												  f->seam_codes);

	if (status == RIBBON_OK)
		status = window->too_many ? RIBBON_SUSPICIOUS : solve_window(f, window);
	ribbon_window_thresholds(window, f->layer->thresholds);
	if (status == RIBBON_OK)
		status = collect_bumped(f, part);
	ribbon_window_keep_seam(window, &f->seam, f->seam_codes);
	return status;
}

/* Build all windows, from the last one to the first. */
static RibbonStatus
fill(Filling *f)
{
	uint64_t nwindows = f->cut.nwindows;
	uint64_t left = nwindows;
	RibbonStatus status = RIBBON_OK;

	while (left > 0)
	{
		unsigned n = (unsigned) ribbon_min64(f->nparts, left);

		f->last = left - 1;
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = ribbon_intake_read(f->env, &f->intake, f->last - i,
										&f->parts[i].range);
		if (status == RIBBON_OK)
			status = ribbon_tasks_run(f->env, n, fill_body, f);
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = finish_part(f, &f->parts[i]);
		if (status == RIBBON_OK && f->bumped->n > f->bumped->most)
			status = RIBBON_SUSPICIOUS;
		if (status != RIBBON_OK)
			return status;
		left -= n;
		if (f->env->progress != NULL)
			f->env->progress(f->env->arg, f->layer->number,
							 1 - (double) left / (double) nwindows);
	}
	return ribbon_intake_end(&f->intake);
}

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, const RibbonLayer *layer,
				   const RibbonSet *hashes, RibbonSet *bumped)
{
	Filling f = {.env = env,
				 .layer = layer,
				 .cut = ribbon_cut_layer(layer->system, layer->buckets),
				 .hashes = hashes,
				 .bumped = bumped};
	RibbonStatus status;

	f.intake = ribbon_intake(&f.cut, hashes, layer->accept_clustered);
	f.nparts = (unsigned) ribbon_min64(f.cut.nwindows,
									   ribbon_tasks_at_once(env));
	status = create_parts(&f);
	if (status == RIBBON_OK)
		status = fill(&f);
	free_parts(&f);
	return status;
}
