/*
 * member.c - ribbon_member: is this key in the exact set, if it can know?
 *
 * An exact set knows nothing of keys that are newer than it.  It may say as of
 * when it is right, and a key's time says whether it is older than that.  Of no
 * keys at all it knows nothing.
 */
#include "probing/probesite.h"

#include "utils/timestamp.h"

/*
 * Is the key with this hash and time in the set?  Returns false if the set
 * cannot know, else sets *member.
 */
static bool
find_member(const RibbonFilter *filter, uint64_t hash, TimestampTz time,
			bool *member)
{
	if (!filter->has_as_of && filter->is_exact && filter->universe == 0)
		return false; /* built of no rows, and so of no options */
	if (!filter->has_as_of)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ribbonfilter has no as_of time"),
				 errdetail("ribbon_member needs an exact set that was built with the option as_of."),
				 errhint("Build it with as_of, as in ribbon_build_exact(key, member, 'as_of=now').")));
	if (time > filter->as_of)
		return false;
	*member = ribbon_contains(filter, hash);
	return true;
}

/* ribbon_member(filter, key, key_time): NULL for a key newer than as_of */
RIBBON_SQL_ENTRY(ribbon_member)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, RIBBON_SQL_FILTER,
													 sizeof(RibbonProbeSite));
	TimestampTz time = PG_GETARG_TIMESTAMPTZ(2);
	uint64_t hash;
	const RibbonFilter *filter =
		ribbon_probesite_open_row(fcinfo, site, RIBBON_SQL_FILTER, 0, &hash);
	bool member;
	bool known = find_member(filter, hash, time, &member);

	ribbon_probesite_close(filter);
	if (!known)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(member);
}
