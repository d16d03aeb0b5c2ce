/*
 * slide.c - a system is filled and solved, window by window, from right to left
 */
#include "construct/slide.h"

#include "construct/salt.h"

RibbonStatus
ribbon_slide_create(const RibbonEnv *env, RibbonSlide *slide,
					const RibbonCut *cut, const RibbonSet *hashes,
					const RibbonSupply *supply, bool accept_clustered)
{
	RibbonStatus status = RIBBON_OK;

	*slide = (RibbonSlide){.env = env, .cut = *cut, .nparts = 1};
	slide->intake = ribbon_intake(&slide->cut, hashes, accept_clustered);
	if (cut->bumps)
		slide->nparts = (unsigned) ribbon_min64(cut->nwindows,
												ribbon_tasks_at_once(env));
	slide->parts = ribbon_alloc_zeroed(env, slide->nparts * sizeof(RibbonPart));
	if (slide->parts == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < slide->nparts && status == RIBBON_OK; i++)
	{
		RibbonPart *part = &slide->parts[i];

		status = ribbon_window_create(env, &part->window, &slide->cut, supply);
		if (status == RIBBON_OK)
			status = ribbon_set_make_room(env, hashes, &part->range,
										  slide->intake.most);
	}
	return status;
}

void
ribbon_slide_free(RibbonSlide *slide)
{
	for (unsigned i = 0; slide->parts != NULL && i < slide->nparts; i++)
	{
		ribbon_window_free(slide->env, &slide->parts[i].window);
		ribbon_set_range_free(slide->env, &slide->parts[i].range);
	}
	ribbon_free(slide->env, slide->parts);
}

/* Fill the body of parts[i] (RibbonTask). */
static RibbonStatus
fill_body(const RibbonEnv *env, void *arg, unsigned i)
{
	RibbonSlide *slide = (RibbonSlide *) arg;
	RibbonPart *part = &slide->parts[i];
	RibbonStatus status = ribbon_window_begin(env, &part->window,
											  slide->last - i,
											  part->range.words, part->range.n);

	return status == RIBBON_OK ? ribbon_window_fill_body(env, &part->window) :
								 status;
}

/* Read the hashes of the windows in parts[0..n), and fill their bodies. */
static RibbonStatus
fill_bodies(RibbonSlide *slide, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
	{
		RibbonStatus status = ribbon_intake_read(slide->env, &slide->intake,
												 slide->last - i,
												 &slide->parts[i].range);

		if (status != RIBBON_OK)
			return status;
	}
	return ribbon_tasks_run(slide->env, n, fill_body, slide);
}

/*
 * Solve a window that has been filled.  RIBBON_SUSPICIOUS: it has no place for
 * all.
 */
static RibbonStatus
solve_window(const RibbonSlide *slide, const RibbonWindow *window,
			 RibbonBacksubst *task)
{
	if (window->too_many)
		return RIBBON_SUSPICIOUS;
	task->band = &window->band;
	task->begin = window->number == 0 ?
		0 :
		ribbon_cut_extent(&slide->cut, window->number - 1).seam_end;
	task->end = window->at.seam_end;
	return task->begin < task->end ? ribbon_backsubst(slide->env, task) :
									 RIBBON_OK;
}

/* Fill the tail of the window in parts[i], solve it, and hand its seam on. */
static RibbonStatus
finish_window(RibbonSlide *slide, unsigned i, RibbonBacksubst *task,
			  RibbonSlideTake take, void *arg)
{
	RibbonWindow *window = &slide->parts[i].window;
	RibbonStatus status = RIBBON_OK;

	if (!slide->filled)
		status = ribbon_window_fill_tail(slide->env, window);
	if (status == RIBBON_OK)
		status = solve_window(slide, window, task);
	if (status == RIBBON_OK && take != NULL)
		status = take(arg, window);
	if (status == RIBBON_OK && window->number > 0)
		ribbon_window_hand_on(window,
							  &slide->parts[(i + 1) % slide->nparts].window);
	return status;
}

static void
report(const RibbonSlide *slide, uint64_t left)
{
	const RibbonEnv *env = slide->env;

	if (env->progress != NULL && !slide->again)
		env->progress(env->arg, slide->layer,
					  1 - (double) left / (double) slide->cut.nwindows);
}

RibbonStatus
ribbon_slide_run(RibbonSlide *slide, RibbonBacksubst *task,
				 RibbonSlideTake take, void *arg)
{
	RibbonStatus status = RIBBON_OK;
	unsigned n;

	slide->intake.nread = 0;
	for (uint64_t left = slide->cut.nwindows; left > 0; left -= n)
	{
		n = (unsigned) ribbon_min64(slide->nparts, left);
		slide->last = left - 1;
		if (!slide->filled)
			status = fill_bodies(slide, n);
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = finish_window(slide, i, task, take, arg);
		if (status != RIBBON_OK)
			return status;
		report(slide, left - n);
	}
	if (!slide->filled)
		status = ribbon_intake_end(&slide->intake);
	slide->filled = slide->cut.nwindows == 1;
	slide->again = true;
	return status;
}
