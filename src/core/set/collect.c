/*
 * collect.c - elements that come a few at a time: an array, then a file
 *
 * They are collected in an array, which doubles.  Up to its limit, the array is
 * the set.  Then it is emptied into a file, and starts again:
 *
 *----------
 *	 room for 4		8f.. 02.. d1.. 02..
 *	 room for 8		8f.. 02.. d1.. 02.. 8f.. 13.. 20.. d1..
 *	 the limit											-> file, if they are
 *					37.. 02..							   not duplicates
 *----------
 */
#include "base/bits.h"
#include "set/blocks.h"
#include "set/read.h"
#include "set/sort.h"

#define FIRST_WORDS 1024

/* Of so many hashes, one is looked at to find out how many are duplicates. */
#define SAMPLED 16

RibbonStatus
ribbon_set_reserve(RibbonSet *set, uint64_t nwords)
{
	uint64_t *array = nwords > SIZE_MAX / sizeof(uint64_t) ?
		NULL :
		ribbon_resize(&set->env, set->array, set->narray * sizeof(uint64_t),
					  nwords * sizeof(uint64_t));

	if (array == NULL)
		return RIBBON_OUT_OF_MEMORY;
	set->array = array;
	set->room = (size_t) nwords;
	return RIBBON_OK;
}

/*
 * Are there so many duplicates that it is worth sorting the array?  That takes
 * long, so first look at one key in 16, by the highest bits of its hash.  If
 * keys were chosen so that these are far from random, it is not known.
 */
static RibbonStatus
look_for_duplicates(RibbonSet *set, bool *many)
{
	size_t stride = ribbon_set_stride(set);
	size_t room = set->narray / stride / SAMPLED * 2 + 1;
	uint64_t *sample = ribbon_alloc_array(&set->env, room,
										  stride * sizeof(uint64_t));
	size_t n = 0;
	size_t left;
	RibbonStatus status;

	if (sample == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (size_t i = 0; i < set->narray && n < room; i += stride)
	{
		/* each is copied, and most are overwritten: no jump to be guessed */
		sample[n * stride] = set->array[i];
		sample[n * stride + stride - 1] = set->array[i + stride - 1];
		n += set->array[i] < UINT64_MAX / SAMPLED;
	}
	left = n;
	status = ribbon_distinct(&set->env, set->kind, sample, &left,
							 set->conflict);
	*many = n < room / 4 || n == room || left <= n / 8 * 5;
	ribbon_free(&set->env, sample);
	return status;
}

/*
 * Enter the file, and move there what the array has; or, if that is all of the
 * set, and half of the array is free without duplicates, drop these.
 */
static RibbonStatus
empty_array(RibbonSet *set)
{
	bool many = false;
	RibbonStatus status = RIBBON_OK;

	if (!set->in_file && !set->sealed)
		status = look_for_duplicates(set, &many);
	if (status == RIBBON_OK && many)
		status = ribbon_set_seal(set);
	if (status != RIBBON_OK || (many && set->narray <= set->room / 2))
		return status;
	ribbon_set_enter_file(set, set->file);
	return ribbon_set_move_array(set);
}

/*
 * The array doubles; if it may not, it takes all that it may; if that is not
 * enough, it is emptied.
 */
RibbonStatus
ribbon_set_make_room(RibbonSet *set, size_t n)
{
	RibbonStatus status = RIBBON_OK;

	while (status == RIBBON_OK && !ribbon_set_has_room(set, n))
	{
		size_t needed = set->narray + n * ribbon_set_stride(set);
		size_t room = set->room > 0 ? set->room : FIRST_WORDS;
		size_t most = set->file == NULL ? SIZE_MAX : set->limit;

		if (set->in_file)
			most = (size_t) ribbon_min64(most, RIBBON_SET_CHUNK);
		while (room < needed)
			room *= 2;
		room = (size_t) ribbon_min64(room, needed <= most ? most : needed);
		status = room <= most || set->narray == 0 ?
			ribbon_set_reserve(set, room) :
			empty_array(set);
	}
	return status;
}

RibbonStatus
ribbon_set_collect(RibbonSet *set, const uint64_t *words, size_t n)
{
	size_t stride = ribbon_set_stride(set);

	if (set->n + n > set->most)
		return RIBBON_TOO_MANY;
	for (size_t now; n > 0; n -= now)
	{
		RibbonStatus status;

		now = (size_t) ribbon_min64(n, RIBBON_SET_CHUNK / stride);
		status = ribbon_set_make_room(set, now);
		if (status != RIBBON_OK)
			return status;
		memcpy(ribbon_set_end(set), words, now * stride * sizeof(uint64_t));
		ribbon_set_count_more(set, now);
		words += now * stride;
	}
	return RIBBON_OK;
}
