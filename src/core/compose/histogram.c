/*
 * histogram.c - how many keys of a map have each value
 */
#include "compose/histogram.h"

#include "base/hash.h"
#include "set/read.h"
#include "set/sort.h"

/*
 * Codes lie side by side if they were chosen to.  Of those that were not, 2^18
 * in twice as many slots, the longest run is some 70.  With a longer one than
 * this another hash is taken.  Codes could be chosen for several hashes, but
 * each takes 2^19 times as many tries as the one before.
 */
#define LONGEST_RUN	  512
#define MOST_ATTEMPTS 8

static inline uint32_t
first_slot(const RibbonHistogram *histogram, uint64_t code)
{
	uint64_t hash = RIBBON_LIKELY(histogram->attempt == 0) ?
		code * RIBBON_GOLDEN :
		ribbon_mix(code ^ histogram->attempt);

	return (uint32_t) (hash >> histogram->shift);
}

/* The slot where a code is, or the empty one where it belongs. */
static inline uint32_t
slot_of_code(const RibbonHistogram *histogram, uint64_t code)
{
	uint32_t slot = first_slot(histogram, code);

	while (histogram->slots[slot] != 0 &&
		   histogram->values[histogram->slots[slot] - 1].code != code)
		slot = (slot + 1) & histogram->mask;
	return slot;
}

/* Put a number into the empty slot of its code: is there no long run? */
static inline bool
put_number(RibbonHistogram *histogram, uint32_t slot, uint32_t number)
{
	uint64_t code = histogram->values[number].code;

	histogram->slots[slot] = number + 1;
	return ((slot - first_slot(histogram, code)) & histogram->mask) <
		LONGEST_RUN ||
		histogram->attempt == MOST_ATTEMPTS;
}

/* Put all numbers where they belong: is there no long run? */
static bool
put_numbers(RibbonHistogram *histogram)
{
	memset(histogram->slots, 0,
		   sizeof(uint32_t) * ((size_t) histogram->mask + 1));
	for (uint32_t i = 0; i < histogram->n; i++)
		if (!put_number(histogram,
						slot_of_code(histogram, histogram->values[i].code), i))
			return false;
	return true;
}

static void
take_other_hash(RibbonHistogram *histogram)
{
	do
		histogram->attempt++;
	while (!put_numbers(histogram));
}

uint32_t
ribbon_histogram_find(const RibbonHistogram *histogram, uint64_t code)
{
	return histogram->slots[slot_of_code(histogram, code)] - 1;
}

/* A RibbonTakeElements. */
static RibbonStatus
count_part(void *arg, const uint64_t *words, size_t n)
{
	const RibbonRecord *records = (const RibbonRecord *) words;
	RibbonHistogram *histogram = arg;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t code = ribbon_supply_value(&histogram->plain, records[i].word);
		uint32_t slot = slot_of_code(histogram, code);

		if (histogram->slots[slot] == 0)
		{
			if (histogram->n == histogram->most)
				return RIBBON_TOO_MANY;
			histogram->values[histogram->n] = (RibbonCounted){code, 1};
			if (RIBBON_UNLIKELY(!put_number(histogram, slot, histogram->n++)))
				take_other_hash(histogram);
		}
		else
			histogram->values[histogram->slots[slot] - 1].count++;
	}
	return RIBBON_OK;
}

/* Number the codes in ascending order; so far they are as they were met. */
static RibbonStatus
sort_codes(const RibbonEnv *env, RibbonHistogram *histogram)
{
	RibbonStatus status = ribbon_sort(env, RIBBON_RECORD_WORDS,
									  &histogram->values->code, histogram->n,
									  NULL);

	if (status == RIBBON_OK && !put_numbers(histogram))
		take_other_hash(histogram);
	return status;
}

RibbonStatus
ribbon_histogram_create(const RibbonEnv *env, RibbonHistogram *histogram,
						const RibbonValues *values, const RibbonSet *records)
{
	uint64_t most = ribbon_min64(records->n, RIBBON_MAX_CODES);
	unsigned log2 = 4;
	RibbonStatus status;

	memset(histogram, 0, sizeof(*histogram));
	histogram->plain = ribbon_supply_of_map(values);
	histogram->most = (uint32_t) most;
	while (UINT64_C(1) << log2 < 2 * (most + 1))
		log2++;
	histogram->shift = 64 - log2;
	histogram->mask = (UINT32_C(1) << log2) - 1;
	histogram->values = ribbon_alloc_array(env, most, sizeof(RibbonCounted));
	histogram->slots = ribbon_alloc_zeroed(env,
										   sizeof(uint32_t) *
											   ((uint64_t) histogram->mask +
												1));
	if (histogram->values == NULL || histogram->slots == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_set_each(env, records, count_part, histogram);
	return status == RIBBON_OK ? sort_codes(env, histogram) : status;
}

void
ribbon_histogram_free(const RibbonEnv *env, RibbonHistogram *histogram)
{
	ribbon_free(env, histogram->values);
	ribbon_free(env, histogram->slots);
}
