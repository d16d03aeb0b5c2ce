/*
 * passing.c - which records go on to a plane behind a filter
 */
#include "compose/passing.h"

#include "base/hash.h"
#include "format/place.h"

void
ribbon_passing_open(const RibbonPlane *built, const uint8_t *bytes,
					RibbonOpened *filter)
{
	memset(filter, 0, offsetof(RibbonOpened, plane));
	memcpy(&filter->plane, built, ribbon_plane_size(built));
	filter->plane.header_bytes = 0; /* it is not among these bytes */
	ribbon_place_systems(&filter->plane);
	ribbon_place_bytes(&filter->plane, bytes);
	ribbon_prepare(filter, false);
}

/* Those that the filter says yes to, or that are sure. */
static size_t
ask_filter(const RibbonPassing *passing, const uint64_t *records, size_t n,
		   uint64_t *passed)
{
	bool answers[RIBBON_DERIVED_AT_ONCE + 1];
	uint64_t *out = passed;
	size_t nasked = 0, next = 0;

	/* the filter takes hashes in a row: passed has room for them meanwhile */
	for (size_t i = 0; i < n; i++)
	{
		passed[nasked] = records[2 * i];
		nasked += (records[2 * i + 1] & passing->mask) != passing->sure;
	}
	ribbon_batches_find(passing->filter, passed, nasked, answers, NULL);
	answers[nasked] = false;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t word = records[2 * i + 1];
		size_t sure = (word & passing->mask) == passing->sure;

		out[0] = records[2 * i];
		out[1] = word;
		out += (sure | answers[next]) * RIBBON_RECORD_WORDS;
		next += !sure;
	}
	return (size_t) (out - passed) / RIBBON_RECORD_WORDS;
}

size_t
ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
					uint64_t *passed)
{
	const RibbonPassing *passing = (const RibbonPassing *) arg;

	if (passing->filter != NULL)
		n = ask_filter(passing, records, n, passed);
	else
		memcpy(passed, records, n * RIBBON_RECORD_WORDS * sizeof(uint64_t));
	for (size_t i = 0; i < n && passing->masked; i++)
		passed[i * RIBBON_RECORD_WORDS + 1] ^=
			ribbon_hash_mask(passed[i * RIBBON_RECORD_WORDS]);
	return n;
}
