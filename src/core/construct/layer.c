/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 *
 * The layer is built from right to left, as many teams of windows (window.h) at
 * a time as there are threads.  A team is filled by one thread, its windows
 * side by side: all bodies, then the tails but the last one, for which it takes
 * the window to the right, that of another team.  When all threads have ended,
 * teams get that tail one after the other, and are solved.
 */
#include "construct/layer.h"

#include "construct/intake.h"
#include "construct/salt.h"
#include "construct/window.h"
#include "solve/backsubst.h"

#define BUMPED_AT_ONCE 512 /* words per call of ribbon_set_collect */

/* The memory of windows that are filled side by side, and their hashes. */
typedef struct Team
{
	RibbonWindow windows[RIBBON_CUT_LANES]; /* from right to left */
	RibbonSweep *sweeps;					/* of these */
	RibbonSetRange range;					/* their hashes */
} Team;

/* A layer that is being filled. */
typedef struct Filling
{
	const RibbonEnv *env;
	const RibbonLayer *layer;
	RibbonCut cut;
	RibbonIntake intake;
	const RibbonSet *hashes;
	RibbonSet *bumped;
	Team *teams;
	unsigned nteams;

	/* number of teams[0]; teams[1] is to its left, and so on */
	uint64_t first_team;

	/* the rows of the seam, and its codes, from the window to the right */
	RibbonBand seam;
	uint8_t seam_codes[RIBBON_GROUP_BUCKETS];
} Filling;

static RibbonStatus
create_team(Filling *f, Team *team)
{
	RibbonStatus status = RIBBON_OK;

	team->sweeps = ribbon_alloc(f->env, f->cut.lanes * sizeof(RibbonSweep));
	if (team->sweeps == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < f->cut.lanes && status == RIBBON_OK; i++)
		status = ribbon_window_create(f->env, &team->windows[i], &f->cut,
									  f->layer->supply, &team->sweeps[i]);
	if (status == RIBBON_OK)
		status = ribbon_set_make_room(f->env, f->hashes, &team->range,
									  f->intake.most);
	return status;
}

static RibbonStatus
create_teams(Filling *f)
{
	const RibbonSystem *system = f->layer->system;
	RibbonStatus status =
		ribbon_band_alloc(f->env, &f->seam, ribbon_cut_seam(&f->cut),
						  system->width,
						  system->result_bits + (system->wide > 0));

	if (status == RIBBON_OK)
		f->teams = ribbon_alloc_zeroed(f->env, f->nteams * sizeof(Team));
	if (f->teams == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < f->nteams && status == RIBBON_OK; i++)
		status = create_team(f, &f->teams[i]);
	return status;
}

static void
free_teams(Filling *f)
{
	for (unsigned t = 0; f->teams != NULL && t < f->nteams; t++)
	{
		for (unsigned i = 0; i < f->cut.lanes; i++)
			ribbon_window_free(f->env, &f->teams[t].windows[i]);
		ribbon_free(f->env, f->teams[t].sweeps);
		ribbon_set_range_free(f->env, &f->teams[t].range);
	}
	ribbon_free(f->env, f->teams);
	ribbon_band_free(f->env, &f->seam);
}

/*
 * Fill the windows of teams[i], all but the tail of the rightmost one, for
 * which the team to the right may still be needed (RibbonTask).
 */
static RibbonStatus
fill_team(const RibbonEnv *env, void *arg, unsigned i)
{
	Filling *f = (Filling *) arg;
	const RibbonCut *cut = &f->cut;
	Team *team = &f->teams[i];
	RibbonWindow *windows = team->windows;
	uint64_t left = (f->first_team - i) * cut->lanes; /* leftmost window */
	size_t stride = ribbon_set_words(f->hashes);
	size_t end = team->range.n; /* hashes of windows that have not begun */
	RibbonStatus status = RIBBON_OK;

	for (unsigned w = 0; w < cut->lanes && status == RIBBON_OK; w++)
	{
		uint64_t g = left + cut->lanes - 1 - w;
		size_t begin = g == left ?
			0 :
			ribbon_element_first(team->range.words, stride, end,
								 ribbon_cut_least_hash(cut, g));

		status = ribbon_window_begin(env, &windows[w], g,
									 team->range.words + begin * stride,
									 end - begin);
		end = begin;
	}
	if (status == RIBBON_OK)
		status = ribbon_window_fill_bodies(env, windows, cut->lanes);
	for (unsigned w = 1; w < cut->lanes && status == RIBBON_OK; w++)
		status = ribbon_window_fill_tail(env, &windows[w], &windows[w - 1].band,
										 windows[w - 1].codes);
	return status;
}

/*
 * Add the next layer's hashes of a team's bumped keys to bumped, with their
 * value words if they have any.  stride is that of the hashes, a constant.
 */
static inline __attribute__((always_inline)) RibbonStatus
collect(Filling *f, const Team *team, size_t stride)
{
	const RibbonSystem *system = f->layer->system;
	const RibbonBuckets *buckets = f->layer->buckets;
	uint64_t next[BUMPED_AT_ONCE];
	uint64_t bucket_end = 0; /* starts from here on are in other buckets */
	uint64_t limit = 0;		 /* starts below it are bumped */
	size_t n = 0;			 /* words */

	for (size_t i = 0; i < team->range.n; i++)
	{
		uint64_t hash = team->range.words[i * stride];
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
				next[n++] = team->range.words[i * stride + 1];
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
collect_bumped(Filling *f, const Team *team)
{
	return f->hashes->kind == RIBBON_HASHES ?
		collect(f, team, 1) :
		collect(f, team, RIBBON_RECORD_WORDS);
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
 * Fill the last tail of a team, solve its windows, collect what they bump.
 * RIBBON_SUSPICIOUS: a bucket has too many.
 */
static RibbonStatus
solve_team(Filling *f, Team *team)
{
	RibbonWindow *windows = team->windows;
	RibbonStatus status = ribbon_window_fill_tail(f->env, &windows[0], &f->seam,
												  f->seam_codes);

	for (unsigned w = 0; w < f->cut.lanes && status == RIBBON_OK; w++)
	{
		status = windows[w].too_many ? RIBBON_SUSPICIOUS :
									   solve_window(f, &windows[w]);
		ribbon_window_thresholds(&windows[w], f->layer->thresholds);
	}
	if (status == RIBBON_OK)
		status = collect_bumped(f, team);
	ribbon_window_keep_seam(&windows[f->cut.lanes - 1], &f->seam,
							f->seam_codes);
	return status;
}

/* Build all teams, from the last one to the first. */
static RibbonStatus
fill(Filling *f)
{
	uint64_t nteams = ribbon_cut_teams(&f->cut);
	uint64_t left = nteams;
	RibbonStatus status = RIBBON_OK;

	while (left > 0)
	{
		unsigned n = (unsigned) ribbon_min64(f->nteams, left);

		f->first_team = left - 1;
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = ribbon_intake_read(f->env, &f->intake, left - 1 - i,
										&f->teams[i].range);
		if (status == RIBBON_OK)
			status = ribbon_tasks_run(f->env, n, fill_team, f);
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = solve_team(f, &f->teams[i]);
		if (status == RIBBON_OK && f->bumped->n > f->bumped->most)
			status = RIBBON_SUSPICIOUS;
		if (status != RIBBON_OK)
			return status;
		left -= n;
		if (f->env->progress != NULL)
			f->env->progress(f->env->arg, f->layer->number,
							 1 - (double) left / (double) nteams);
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
	f.nteams = (unsigned) ribbon_min64(ribbon_cut_teams(&f.cut),
									   ribbon_tasks_at_once(env));
	status = create_teams(&f);
	if (status == RIBBON_OK)
		status = fill(&f);
	free_teams(&f);
	return status;
}
