/*
 * sets.h - a set in a file in memory, beside what it should be
 *
 * For the unit tests of sets, and the fuzz target.  What a set should be is an
 * array of all elements that came, sorted by ribbon_distinct.
 */
#ifndef RIBBON_TEST_SETS_H
#define RIBBON_TEST_SETS_H

#include "set/derive.h"
#include "set/element.h"
#include "set/read.h"
#include "set/sort.h"
#include "world.h"

/* What comes: elements in an array. */
typedef struct Elements
{
	RibbonElementKind kind;
	uint64_t *words;
	size_t n;
} Elements;

/* Ways to add to a set. */
typedef enum Adding
{
	ADD,
	ADD_SORTED,
	COLLECT,
	GROW, /* in memory, up to GROWN_WORDS */
	NADDINGS
} Adding;

#define GROWN_WORDS 65536

/* Elements of which a set is made: some of them come twice. */
static inline Elements
elements_create(RibbonElementKind kind, size_t n)
{
	return (Elements){kind,
					  calloc(n + 1, RIBBON_RECORD_WORDS * sizeof(uint64_t)), n};
}

static inline void
elements_set(Elements *elements, size_t i, uint64_t hash, uint64_t word)
{
	unsigned stride = ribbon_element_stride(elements->kind);

	elements->words[i * stride] = hash;
	if (stride > 1)
		elements->words[i * stride + 1] = word;
}

/* A copy of n elements from first on. */
static inline Elements
elements_copy(const Elements *elements, size_t first, size_t n)
{
	size_t stride = ribbon_element_stride(elements->kind);
	Elements copy = elements_create(elements->kind, n);

	memcpy(copy.words, elements->words + first * stride,
		   n * stride * sizeof(uint64_t));
	return copy;
}

/* Sort, and drop duplicates. */
static inline RibbonStatus
elements_sort(Elements *elements)
{
	RibbonRecord conflict[2];

	return ribbon_distinct(&ribbon_malloc_env, elements->kind, elements->words,
						   &elements->n, conflict);
}

/* Add n elements from first on, in a way, to a set in a file. */
static inline RibbonStatus
sets_add(RibbonSet *set, const Elements *elements, size_t first, size_t n,
		 Adding how)
{
	Elements copy = elements_copy(elements, first, n);
	RibbonStatus status = RIBBON_OK;

	if (how == ADD_SORTED)
		status = elements_sort(&copy);
	if (status == RIBBON_OK)
		status = how == COLLECT || how == GROW ?
			ribbon_set_collect(set, copy.words, copy.n) :
			ribbon_set_add_to_file(set, copy.words, copy.n);
	free(copy.words);
	return status;
}

/* What is read of a set so far, in an array with room for all that it has. */
typedef struct ReadElements
{
	Elements elements;
	size_t room;
} ReadElements;

/* A RibbonTakeElements. */
static inline RibbonStatus
elements_append(void *arg, const uint64_t *words, size_t n)
{
	ReadElements *read = (ReadElements *) arg;
	Elements *all = &read->elements;
	size_t stride = ribbon_element_stride(all->kind);

	if (all->n + n > read->room)
		return RIBBON_BAD_FILE;
	memcpy(all->words + all->n * stride, words, n * stride * sizeof(uint64_t));
	all->n += n;
	return RIBBON_OK;
}

/* All elements of a set, in an array. */
static inline Elements
sets_elements(const RibbonSet *set, RibbonElementKind kind)
{
	ReadElements read = {elements_create(kind, (size_t) set->n),
						 (size_t) set->n};

	read.elements.n = 0;
	CHECK(ribbon_set_each(&set->env, set, elements_append, &read) == RIBBON_OK,
		  "all elements");
	return read.elements;
}

/* Does a sealed set have these elements, which are sorted, block by block? */
static inline bool
sets_equal(const RibbonSet *set, const Elements *sorted)
{
	Elements all = sets_elements(set, sorted->kind);
	bool equal = all.n == sorted->n && set->n == sorted->n &&
		memcmp(all.words, sorted->words,
			   all.n * ribbon_element_stride(sorted->kind) *
				   sizeof(uint64_t)) == 0;

	free(all.words);
	return equal;
}

/* Does a sealed set have all of these elements, once each?  They get sorted. */
static inline bool
sets_have(const RibbonSet *set, Elements *elements)
{
	return elements_sort(elements) == RIBBON_OK && sets_equal(set, elements);
}

/*
 * Is a range of a sealed set as it should be?  With half of it as a limit, it
 * has too many elements.
 */
static inline bool
sets_range_equal(RibbonSet *set, const Elements *sorted, uint64_t first,
				 uint64_t last)
{
	size_t stride = ribbon_element_stride(sorted->kind);
	size_t begin = ribbon_element_first(sorted->words, stride, sorted->n,
										first);
	size_t end = last < UINT64_MAX ?
		ribbon_element_first(sorted->words, stride, sorted->n, last + 1) :
		sorted->n;
	size_t wanted = end > begin ? end - begin : 0;
	RibbonSetRange range = {.buffer = NULL};
	bool equal = ribbon_set_read(&set->env, set, first, last, wanted / 2,
								 &range) ==
			(wanted > 0 ? RIBBON_TOO_MANY : RIBBON_OK) &&
		ribbon_set_read(&set->env, set, first, last, UINT64_MAX, &range) ==
			RIBBON_OK &&
		range.n == wanted &&
		(wanted == 0 ||
		 memcmp(range.words, sorted->words + begin * stride,
				wanted * stride * sizeof(uint64_t)) == 0);

	ribbon_set_range_free(&set->env, &range);
	return equal;
}

/*
 * Some ranges: all, none, from one element to another, and around them.  A long
 * range of a large set shows no more than a short one, but at its two ends:
 * only the first few are.
 */
#define LONG_RANGES 4
#define SHORT_RANGE 30000

static inline bool
sets_ranges_equal(RibbonSet *set, const Elements *sorted, Random *random)
{
	size_t stride = ribbon_element_stride(sorted->kind);
	bool equal = sets_range_equal(set, sorted, 0, UINT64_MAX) &&
		sets_range_equal(set, sorted, 1, 0);

	for (int i = 0; i < 20 && equal && sorted->n > 0; i++)
	{
		bool wide = i < LONG_RANGES || sorted->n <= SHORT_RANGE;
		size_t a = (size_t) random_below(random, sorted->n);
		size_t b = wide ? (size_t) random_below(random, sorted->n) :
						  a + (size_t) random_below(random, SHORT_RANGE);
		uint64_t first = sorted->words[a * stride] + random_below(random, 3) -
			1;
		uint64_t last;

		b = b < sorted->n ? b : sorted->n - 1;
		last = sorted->words[b * stride] + random_below(random, 3) - 1;
		equal = sets_range_equal(set, sorted, first, last) &&
			sets_range_equal(set, sorted, first, first) &&
			(!wide ||
			 (sets_range_equal(set, sorted, 0, first) &&
			  sets_range_equal(set, sorted, last, UINT64_MAX)));
	}
	return equal;
}

/* The value of a key of a map, or the word of a key of an exact set. */
static inline uint64_t
elements_word(uint64_t hash)
{
	return ribbon_mix(hash + 1);
}

/* Random elements that agree in so many bits from the highest on. */
static inline Elements
elements_random(Random *random, RibbonElementKind kind, size_t n,
				unsigned alike)
{
	Elements elements = elements_create(kind, n);

	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = random_next(random);

		if (i > 0 && i % 5 == 0)
			hash = elements.words[(i / 2) * ribbon_element_stride(kind)];
		else if (alike > 0)
			hash = hash >> alike | UINT64_C(0x5A5A5A5A5A5A5A5A) << (64 - alike);
		elements_set(&elements, i, hash, elements_word(hash));
	}
	return elements;
}

/*
 * Fill a set of elements in pieces, and seal it.  It is closed after a failure.
 */
static inline RibbonStatus
sets_fill(World *world, WorldFile *file, const Elements *elements, Adding how,
		  size_t piece, RibbonSet *set)
{
	RibbonStatus status = RIBBON_OK;

	*set = ribbon_set_growing(&world->env, elements->kind);
	if (how == GROW)
		ribbon_set_limit(set, GROWN_WORDS, &file->file);
	else
		ribbon_set_enter_file(set, &file->file);
	for (size_t i = 0; i < elements->n && status == RIBBON_OK; i += piece)
		status = sets_add(set, elements, i,
						  elements->n - i < piece ? elements->n - i : piece,
						  how);
	if (status == RIBBON_OK)
		status = ribbon_set_seal(set);
	if (status != RIBBON_OK)
		ribbon_set_close(set);
	return status;
}

static inline void
sets_done(World *world, WorldFile *file)
{
	CHECK(world_all_free(&file->file), "%u of %u blocks are free",
		  file->file.nfree, file->file.nblocks);
	world_file_close(file);
	CHECK(world->live == 0, "%ld left", world->live);
}

/* The same of a file that has one set left. */
static inline void
sets_close(World *world, WorldFile *file, RibbonSet *set)
{
	ribbon_set_close(set);
	sets_done(world, file);
}

#endif /* RIBBON_TEST_SETS_H */
