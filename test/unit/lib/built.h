/*
 * built.h - filters, maps and exact sets for tests: built, opened, and counted
 */
#ifndef RIBBON_TEST_BUILT_H
#define RIBBON_TEST_BUILT_H

#include "testing.h"

#include "caller.h"
#include "format/format.h"
#include "format/place.h"
#include "probe/opened.h"

/*
 * A filter, map or exact set, its bytes in a block that ends where they end,
 * and its status.
 */
typedef struct Built
{
	RibbonStatus status;
	uint8_t *bytes;
	size_t nbytes;
	RibbonFilter filter;
} Built;

/* Slots of all ribbon systems. */
static inline uint64_t
count_slots(const RibbonFilter *filter)
{
	RibbonInfo info;

	ribbon_info(filter, &info);
	return info.nslots;
}

/* How many bytes a header calls for, of which so many are there; 0: none. */
static inline uint64_t
bytes_called_for(const uint8_t *bytes, size_t n)
{
	Slices slices = {.bytes = bytes, .nbytes = n};
	RibbonFilter filter;
	const RibbonOpened *last;

	memset(&filter, 0, sizeof(filter));
	(void) ribbon_open_sliced(UINT64_C(1) << 60, slices_fetch, &slices,
							  &filter);
	free(slices.slice);
	last = ribbon_opened(&filter);
	while (last->next > 0)
		last = ribbon_opened_next(last);
	return last->plane.at == 0 ? 0 : last->plane.at + last->plane.total_bytes;
}

/* Bytes of the header, up to the first threshold or slot. */
static inline size_t
header_size(const RibbonFilter *filter)
{
	const RibbonPlane *plane = &ribbon_opened(filter)->plane;

	return (size_t) plane->at + plane->header_bytes;
}

/* Probe in batches wherever that is possible, also where it is slower. */
static inline void
prefer_batches(RibbonFilter *filter)
{
	RibbonOpened *opened = (RibbonOpened *) filter->inside.opened;

	for (; opened != NULL; opened = (RibbonOpened *) ribbon_opened_next(opened))
		if (opened->batch != NULL)
			opened->least_batch = 1;
}

/* Open bytes again, or others in their place. */
static inline void
built_reopen(Built *built)
{
	built->status = ribbon_open(built->bytes, built->nbytes, &built->filter);
}

/* Open bytes that ribbon_build or ribbon_shrink has made, if it has. */
static inline void
built_open(Built *built)
{
	if (built->status == RIBBON_OK)
		built_reopen(built);
}

static inline bool
built_same(const Built *a, const Built *b)
{
	return a->nbytes == b->nbytes && memcmp(a->bytes, b->bytes, a->nbytes) == 0;
}

/*
 * Build from a copy of n elements, and open.  Inlined, gcc 12 warns of records
 * where there are hashes.
 */
static __attribute__((noinline, unused)) Built
built_from(const RibbonParams *params, const uint64_t *words, size_t n)
{
	Built built = {.status = RIBBON_OK};
	size_t size = n * sizeof(uint64_t) *
		ribbon_element_stride(ribbon_params_elements(params));
	uint64_t *copy = malloc(size + 1);

	if (n > 0)
		memcpy(copy, words, size);
	built.status = array_build(&ribbon_malloc_env, params, copy, n, 0,
							   &built.bytes, &built.nbytes);
	free(copy);
	if (built.status == RIBBON_OK)
		built.bytes = realloc(built.bytes, built.nbytes);
	built_open(&built);
	return built;
}

/* A filter that no build made: with this header, and zeros behind it. */
static inline Built
built_of_plane(RibbonPlane *plane)
{
	Built made = {RIBBON_OK, NULL, 0, {0}};
	uint8_t header[RIBBON_MAX_HEADER];
	size_t nheader = ribbon_format_encode(plane, 1, header);

	plane->at = ribbon_format_encode_head(plane, 1, NULL, NULL, header);
	plane->header_bytes = nheader - (size_t) plane->at;
	ribbon_place_systems(plane);
	made.nbytes = (size_t) (plane->at + plane->total_bytes);
	made.bytes = calloc(1, made.nbytes);
	CHECK(made.bytes != NULL, "no memory");
	memcpy(made.bytes, header, nheader);
	built_open(&made);
	CHECK(made.status == RIBBON_OK, "open");
	return made;
}

/* A filter of these keys. */
static inline Built
build(RibbonKind kind, int width, double fpr, const uint64_t *keys, size_t n)
{
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 1};

	return built_from(&params, keys, n);
}

static inline Built
shrink(const Built *from, double fpr)
{
	Built built = {.status = RIBBON_OK};

	built.status = ribbon_shrink(&ribbon_malloc_env, &from->filter, fpr, 0,
								 &built.bytes, &built.nbytes);
	built_open(&built);
	return built;
}

static inline size_t
count_missing(const Built *built, const uint64_t *keys, size_t n)
{
	size_t missing = 0;

	for (size_t i = 0; i < n; i++)
		missing += !ribbon_contains(&built->filter, keys[i]);
	return missing;
}

/* Positives among nprobes non-members. */
static inline size_t
count_nonmembers(const Built *built, Random *random, size_t nprobes)
{
	size_t positives = 0;

	for (size_t i = 0; i < nprobes; i++)
		positives += ribbon_contains(&built->filter, random_next(random));
	return positives;
}

/*
 * Is this count within six standard deviations of its expectation?  (A Poisson
 * count; the seeds are fixed, so a test that passes once always does.)
 */
static inline bool
is_plausible(size_t count, double expected)
{
	return fabs((double) count - expected) <= 6 * sqrt(expected) + 6;
}

/* bits(f): bits per key that this FPR calls for, with fractional columns. */
static inline double
bits_of(double fpr)
{
	double a = floor(log2(1 / fpr) + 1e-12);

	return a + 2 - fpr * exp2(a + 1);
}

static inline const char *
kind_name(RibbonKind kind)
{
	return kind == RIBBON_BURR	   ? "burr" :
		kind == RIBBON_HOMOGENEOUS ? "homogeneous" :
									 "auto";
}

static const RibbonKind test_kinds[] = {RIBBON_BURR, RIBBON_HOMOGENEOUS,
										RIBBON_AUTO};

#endif /* RIBBON_TEST_BUILT_H */
