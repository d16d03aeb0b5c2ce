/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 *
 * The layer is built from right to left, as many windows (window.h) at a time
 * as there are threads.  These are filled side by side, and then finished and
 * solved one after the other.
 */
#include "construct/layer.h"

#include "construct/cluster.h"
#include "construct/window.h"
#include "solve/solver.h"

#define BUMPED_AT_ONCE 512 /* words per call of ribbon_hashes_add */

/* The memory of one window, and the hashes of its keys. */
typedef struct Place
{
	RibbonWindow window;
	uint64_t *room; /* for hashes from a store; NULL if they are in an array */
	size_t nroom;
	const uint64_t *hashes;
	size_t nhashes;
} Place;

/* The state of a layer's build. */
typedef struct Filling
{
	const RibbonEnv *env;
	const RibbonLayer *layer;
	const RibbonHashes *hashes;
	RibbonHashes *bumped;
	Place *places;
	unsigned nplaces;
	uint64_t most_hashes; /* more in one window are suspicious */
	uint64_t nread;		  /* hashes of the windows so far */

	/* window in places[0]; places[1] has the one to its left, and so on */
	uint64_t first_window;

	/* the rows of the seam, and its codes, from the window to the right */
	RibbonBand seam;
	uint8_t seam_codes[RIBBON_GROUP_BUCKETS];
} Filling;

/* Replace a place's room by one for nroom hashes. */
static RibbonStatus
make_room(const Filling *f, Place *place, uint64_t nroom)
{
	ribbon_free(f->env, place->room);
	place->room = ribbon_alloc_array(f->env, nroom,
									 ribbon_hashes_stride(f->hashes) *
										 sizeof(uint64_t));
	place->nroom = (size_t) nroom;
	return place->room == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

static RibbonStatus
create_places(Filling *f)
{
	const RibbonLayer *layer = f->layer;
	const RibbonSystem *system = layer->system;
	RibbonStatus status =
		ribbon_band_alloc(f->env, &f->seam, ribbon_cut_seam(layer->buckets),
						  system->width,
						  system->result_bits + (system->wide > 0));

	if (status == RIBBON_OK)
		f->places = ribbon_alloc_zeroed(f->env, f->nplaces * sizeof(Place));
	if (f->places == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < f->nplaces && status == RIBBON_OK; i++)
	{
		Place *place = &f->places[i];

		status = ribbon_window_create(f->env, &place->window, layer->system,
									  layer->buckets, f->hashes->supply);
		if (status == RIBBON_OK && f->hashes->store != NULL)
			status = make_room(f, place, f->most_hashes);
	}
	return status;
}

static void
free_places(Filling *f)
{
	for (unsigned i = 0; f->places != NULL && i < f->nplaces; i++)
	{
		ribbon_window_free(f->env, &f->places[i].window);
		ribbon_free(f->env, f->places[i].room);
	}
	ribbon_free(f->env, f->places);
	ribbon_band_free(f->env, &f->seam);
}

/*
 * Read the hashes of window g.  *suspicious is set to whether they are too many
 * or clustered, unless the layer accepts that.
 */
static RibbonStatus
read_hashes(Filling *f, Place *place, uint64_t g, bool *suspicious)
{
	uint64_t first, last;
	RibbonStatus status;

	ribbon_cut_range(f->layer->system, f->layer->buckets, g, &first, &last);
	status = ribbon_hashes_read(f->hashes, first, last, place->room,
								place->nroom, &place->hashes, &place->nhashes);
	if (status != RIBBON_OK)
		return status;
	*suspicious = !f->layer->clustered &&
		(place->nhashes > f->most_hashes ||
		 ribbon_is_clustered(place->hashes, ribbon_hashes_stride(f->hashes),
							 place->nhashes, last, f->hashes->n));
	if (*suspicious || place->nhashes <= f->most_hashes ||
		f->hashes->store == NULL)
		return RIBBON_OK;
	status = make_room(f, place, place->nhashes);
	if (status == RIBBON_OK)
		status = ribbon_hashes_read(f->hashes, first, last, place->room,
									place->nroom, &place->hashes,
									&place->nhashes);
	return status;
}

/* Fill the window in places[i] (RibbonTask). */
static RibbonStatus
fill_place(const RibbonEnv *env, void *arg, unsigned i)
{
	Filling *f = (Filling *) arg;
	Place *place = &f->places[i];

	return ribbon_window_fill(env, &place->window, f->first_window - i,
							  place->hashes, place->nhashes);
}

/* Fill the windows in places[0..n), in threads if there are any. */
static RibbonStatus
fill_places(Filling *f, unsigned n)
{
	RibbonStatus status = RIBBON_OK;

	if (n > 1 && f->env->run != NULL)
		return f->env->run(f->env->arg, n, fill_place, f);
	for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
		status = fill_place(f->env, f, i);
	return status;
}

/*
 * Add the next layer's hashes of a window's bumped keys to bumped, with their
 * value words if they have any.  stride is that of the hashes, a constant.
 */
static inline __attribute__((always_inline)) RibbonStatus
collect(Filling *f, const Place *place, size_t stride)
{
	const RibbonSystem *system = f->layer->system;
	const RibbonBuckets *buckets = f->layer->buckets;
	uint64_t next[BUMPED_AT_ONCE];
	uint64_t bucket_end = 0; /* starts from here on are in other buckets */
	uint64_t limit = 0;		 /* starts below it are bumped */
	size_t n = 0;			 /* words */

	for (size_t i = 0; i < place->nhashes; i++)
	{
		uint64_t hash = place->hashes[i * stride];
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
				next[n++] = place->hashes[i * stride + 1];
			if (n == BUMPED_AT_ONCE)
			{
				RibbonStatus status = ribbon_hashes_add(f->bumped, next,
														n / stride);

				if (status != RIBBON_OK)
					return status;
				n = 0;
			}
		}
		if (ribbon_interrupt_is_due(i) && ribbon_interrupted(f->env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_hashes_add(f->bumped, next, n / stride);
}

static RibbonStatus
collect_bumped(Filling *f, const Place *place)
{
	return f->hashes->supply == NULL ? collect(f, place, 1) :
									   collect(f, place, RIBBON_RECORD_WORDS);
}

/*
 * Fill the last tail of window g, solve the window, and collect what it bumps.
 */
static RibbonStatus
solve_place(Filling *f, Place *place, uint64_t g)
{
	RibbonWindow *window = &place->window;
	RibbonBacksubst run = ribbon_backsubst_all(&window->band, f->layer->system,
											   RIBBON_FREE_ZERO,
											   f->layer->slots);
	RibbonStatus status = ribbon_window_finish(f->env, window, &f->seam,
											   f->seam_codes);

	run.end = window->seam_end;
	if (g > 0)
		run.begin = window->begin + ribbon_cut_seam(f->layer->buckets);
	if (status == RIBBON_OK)
		status = ribbon_backsubst(f->env, &run);
	ribbon_window_thresholds(window, f->layer->thresholds);
	if (status == RIBBON_OK)
		status = collect_bumped(f, place);
	if (g > 0)
		ribbon_window_keep_seam(window, &f->seam, f->seam_codes);
	return status;
}

/* Build all windows, from the last one to the first. */
static RibbonStatus
fill(Filling *f, bool *suspicious)
{
	uint64_t nwindows = ribbon_cut_windows(f->layer->system);
	uint64_t left = nwindows;
	RibbonStatus status = RIBBON_OK;

	while (left > 0 && status == RIBBON_OK && !*suspicious)
	{
		unsigned n = (unsigned) ribbon_min64(f->nplaces, left);

		f->first_window = left - 1;
		for (unsigned i = 0; i < n && status == RIBBON_OK && !*suspicious; i++)
			status = read_hashes(f, &f->places[i], left - 1 - i, suspicious);
		for (unsigned i = 0; i < n; i++)
			f->nread += f->places[i].nhashes;
		if (status != RIBBON_OK || *suspicious)
			break;
		status = fill_places(f, n);
		for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
			status = solve_place(f, &f->places[i], left - 1 - i);
		left -= n;
		if (f->env->progress != NULL)
			f->env->progress(f->env->arg, f->layer->number,
							 1 - (double) left / (double) nwindows);
		*suspicious = f->bumped->n > f->bumped->capacity;
	}
	if (status == RIBBON_OK && left == 0 && f->nread != f->hashes->n)
		status = RIBBON_BAD_STORE;
	return status;
}

/*
 * The most hashes that a window may have by chance.  Windows of buckets in
 * groups are whole groups, and so of several sizes.
 */
static uint64_t
most_hashes(const RibbonLayer *layer, uint64_t n)
{
	uint64_t nwindows = ribbon_cut_windows(layer->system);
	uint64_t most = ribbon_cluster_limit(n, nwindows);

	if (layer->buckets->grouped && nwindows > 1)
		most += n * ribbon_buckets_unit(layer->buckets) /
			ribbon_buckets_count(layer->system, layer->buckets);
	return most;
}

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, const RibbonLayer *layer,
				   const RibbonHashes *hashes, RibbonHashes *bumped,
				   bool *suspicious)
{
	uint64_t nwindows = ribbon_cut_windows(layer->system);
	Filling f;
	RibbonStatus status;

	memset(&f, 0, sizeof(f));
	f.env = env;
	f.layer = layer;
	f.hashes = hashes;
	f.bumped = bumped;
	f.most_hashes = most_hashes(layer, hashes->n);
	f.nplaces = (unsigned) ribbon_min64(nwindows,
										env->nthreads > 1 ? env->nthreads : 1);
	*suspicious = false;
	status = create_places(&f);
	if (status == RIBBON_OK)
		status = fill(&f, suspicious);
	free_places(&f);
	return status;
}
