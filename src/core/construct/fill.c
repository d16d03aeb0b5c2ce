/*
 * fill.c - a system is filled and solved, window by window, from right to left
 */
#include "construct/fill.h"

#include "construct/cluster.h"
#include "construct/salt.h"

/*
 * The most hashes that a window may have by chance: the mean, a sixteenth and
 * 512, which is 11 standard deviations at least.  Those of buckets in groups
 * are whole groups, and so of several sizes.
 */
static uint64_t
most_hashes(const RibbonCut *cut, uint64_t nhashes)
{
	uint64_t mean = nhashes / cut->nwindows;

	if (cut->nwindows == 1)
		return mean;
	return mean + mean / 16 + 512 +
		(cut->buckets->grouped ? nhashes * ribbon_buckets_unit(cut->buckets) /
				 ribbon_buckets_count(cut->system, cut->buckets) :
								 0);
}

RibbonStatus
ribbon_fill_create(const RibbonEnv *env, RibbonFill *fill, const RibbonCut *cut,
				   const RibbonSet *hashes, const RibbonSupply *supply,
				   bool accept_clustered)
{
	RibbonStatus status = RIBBON_OK;

	*fill = (RibbonFill){.env = env,
						 .cut = *cut,
						 .hashes = hashes,
						 .accept_clustered = accept_clustered,
						 .most_hashes = most_hashes(cut, hashes->n),
						 .nheld = 1};
	if (cut->bumps)
		fill->nheld = (unsigned) ribbon_min64(cut->nwindows,
											  ribbon_tasks_at_once(env));
	fill->windows = ribbon_alloc_zeroed(env,
										fill->nheld * sizeof(RibbonWindow));
	if (fill->windows == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < fill->nheld && status == RIBBON_OK; i++)
		status = ribbon_window_create(env, &fill->windows[i], &fill->cut,
									  supply);
	return status;
}

void
ribbon_fill_free(RibbonFill *fill)
{
	for (unsigned i = 0; fill->windows != NULL && i < fill->nheld; i++)
		ribbon_window_free(fill->env, &fill->windows[i]);
	ribbon_free(fill->env, fill->windows);
}

/* Read the hashes of window g. */
static RibbonStatus
read_hashes(RibbonFill *fill, uint64_t g, RibbonSetRange *range)
{
	const RibbonCut *cut = &fill->cut;
	const RibbonSet *hashes = fill->hashes;
	bool accepts = fill->accept_clustered;
	uint64_t first = ribbon_cut_least_hash(cut, g);
	uint64_t last = g + 1 == cut->nwindows ?
		UINT64_MAX :
		ribbon_cut_least_hash(cut, g + 1) - 1;
	RibbonStatus status = ribbon_set_read(fill->env, hashes, first, last,
										  fill->most_hashes, range);

	if (status == RIBBON_TOO_MANY)
		status = accepts ?
			ribbon_set_read(fill->env, hashes, first, last, UINT64_MAX, range) :
			RIBBON_SUSPICIOUS;
	fill->nread += range->n;
	return status == RIBBON_OK && !accepts &&
			ribbon_cluster_exists(range->words, ribbon_set_stride(hashes),
								  range->n, last, hashes->n) ?
		RIBBON_SUSPICIOUS :
		status;
}

/* Begin windows[i], and fill its body (RibbonTask). */
static RibbonStatus
fill_body(const RibbonEnv *env, void *arg, unsigned i)
{
	RibbonFill *fill = (RibbonFill *) arg;
	RibbonWindow *window = &fill->windows[i];
	RibbonStatus status = ribbon_window_begin(env, window, fill->last - i);

	return status == RIBBON_OK ? ribbon_window_fill_body(env, window) : status;
}

/* Read the hashes of windows[0..n), and fill their bodies. */
static RibbonStatus
fill_bodies(RibbonFill *fill, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
	{
		RibbonStatus status = read_hashes(fill, fill->last - i,
										  &fill->windows[i].range);

		if (status != RIBBON_OK)
			return status;
	}
	return ribbon_tasks_run(fill->env, n, fill_body, fill);
}

/* Has the only window all hashes in its band, from the solve before? */
static bool
is_filled(const RibbonFill *fill)
{
	return fill->again && fill->cut.nwindows == 1;
}

/* Fill the tail of windows[i], solve it, and hand its seam on. */
static RibbonStatus
finish_window(RibbonFill *fill, unsigned i, RibbonBacksubst *task,
			  RibbonFillTake take, void *arg)
{
	RibbonWindow *window = &fill->windows[i];
	RibbonStatus status = RIBBON_OK;

	if (!is_filled(fill))
		status = ribbon_window_fill_tail(fill->env, window);
	task->band = &window->band;
	task->begin = window->number == 0 ?
		0 :
		ribbon_cut_extent(&fill->cut, window->number - 1).seam_end;
	task->end = window->at.seam_end;
	if (status == RIBBON_OK && task->begin < task->end)
		status = ribbon_backsubst(fill->env, task);
	if (status == RIBBON_OK && take != NULL)
		status = take(arg, window);
	if (status == RIBBON_OK && window->number > 0)
		ribbon_window_hand_on(window, &fill->windows[(i + 1) % fill->nheld]);
	return status;
}

RibbonStatus
ribbon_fill_solve(RibbonFill *fill, RibbonBacksubst *task, RibbonFillTake take,
				  void *arg)
{
	const RibbonEnv *env = fill->env;
	uint64_t nwindows = fill->cut.nwindows;
	RibbonStatus status = RIBBON_OK;
	unsigned n;

	fill->nread = 0;
	for (uint64_t left = nwindows; left > 0; left -= n)
	{
		n = (unsigned) ribbon_min64(fill->nheld, left);
		fill->last = left - 1;
		if (!is_filled(fill))
			status = fill_bodies(fill, n);
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = finish_window(fill, i, task, take, arg);
		if (status != RIBBON_OK)
			return status;
		if (env->progress != NULL && !fill->again)
			env->progress(env->arg, fill->layer,
						  1 - (double) (left - n) / (double) nwindows);
	}
	if (!is_filled(fill) && fill->nread != fill->hashes->n)
		status = RIBBON_BAD_FILE;
	fill->again = true;
	return status;
}
