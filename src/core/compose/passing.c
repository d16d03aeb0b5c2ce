/*
 * passing.c - which records go on to a plane behind a filter
 */
#include "compose/passing.h"

#include "format/place.h"
#include "probe/batch.h"

void
ribbon_passing_open(const RibbonAssembly *assembly, RibbonOpened *filter)
{
	ribbon_clear(filter, offsetof(RibbonOpened, plane));
	memcpy(&filter->plane, &assembly->last, ribbon_plane_size(&assembly->last));
	filter->plane.header_bytes = 0; /* it is not among these bytes */
	ribbon_place_systems(&filter->plane);
	ribbon_place_bytes(&filter->plane,
					   assembly->bodies.buffer + assembly->last_at);
	ribbon_prepare(filter, false);
}

/* Those that the filter says yes to, or that are sure. */
static size_t
ask_filter(const RibbonPassing *passing, const RibbonRecord *records, size_t n,
		   RibbonRecord *passed)
{
	bool answers[RIBBON_DERIVED_AT_ONCE + 1];
	/* the filter takes hashes in a row: passed has room for them meanwhile */
	uint64_t *asked = (uint64_t *) passed;
	RibbonRecord *out = passed;
	size_t nasked = 0, next = 0;

	for (size_t i = 0; i < n; i++)
	{
		asked[nasked] = records[i].hash;
		nasked += (records[i].word & passing->mask) != passing->sure;
	}
	ribbon_batches_find(passing->filter, asked, nasked, answers, NULL);
	answers[nasked] = false;
	for (size_t i = 0; i < n; i++)
	{
		bool sure = (records[i].word & passing->mask) == passing->sure;

		*out = records[i];
		out += sure | answers[next];
		next += !sure;
	}
	return (size_t) (out - passed);
}

size_t
ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
					uint64_t *words)
{
	const RibbonPassing *passing = (const RibbonPassing *) arg;
	RibbonRecord *passed = (RibbonRecord *) words;

	if (passing->filter != NULL)
		n = ask_filter(passing, (const RibbonRecord *) records, n, passed);
	else
		memcpy(passed, records, n * sizeof(*passed));
	for (size_t i = 0; i < n && passing->masked; i++)
		passed[i].word ^= ribbon_hash_mask(passed[i].hash);
	return n;
}
