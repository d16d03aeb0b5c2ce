/*
 * member.c - ribbon_member: is this key in the exact set, if it can know?
 *
 * An exact set knows nothing of keys that are newer than it.  It may say as of
 * when it is right, and a key's time says whether it is older than that.  Of no
 * keys at all it knows nothing.
 */
#include "probing/probesite.h"

#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(ribbon_member);

/* A key to ask for, and the answer. */
typedef struct Question
{
	uint64_t hash;
	TimestampTz time; /* of the key */
	bool known;
	bool member;
} Question;

/* A RibbonProbeUse, whose argument is a Question. */
static void
ask_filter(void *arg, const RibbonOpenDatum *datum)
{
	Question *question = arg;
	const RibbonFilter *filter = datum->filter;

	if (!filter->has_as_of && filter->is_exact && filter->universe == 0)
		return; /* built of no rows, and so of no options */
	if (!filter->has_as_of)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ribbonfilter has no as_of time"),
				 errdetail("ribbon_member needs an exact set that was built with the option as_of."),
				 errhint("Build it with as_of, as in ribbon_build_exact(key, member, 'as_of=now').")));
	question->known = question->time <= filter->as_of;
	if (!question->known)
		return;
	question->member = datum->fetch == NULL ?
		ribbon_contains(filter, question->hash) :
		ribbon_contains_sliced(filter, question->hash, datum->fetch,
							   datum->fetch_arg);
}

/* ribbon_member(filter, key, key_time): NULL for a key newer than as_of */
Datum
ribbon_member(PG_FUNCTION_ARGS)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, RIBBON_SQL_FILTER,
													 sizeof(RibbonProbeSite));
	Question question = {.time = PG_GETARG_TIMESTAMPTZ(2)};
	RibbonOpenDatum last = {0};

	last.filter = ribbon_probesite_hash(fcinfo, site, RIBBON_SQL_FILTER, 0, 1,
										&question.hash);
	if (last.filter != NULL)
		ask_filter(&question, &last);
	else
		ribbon_probesite_use_key(fcinfo, site, 0, 1, &question.hash, ask_filter,
								 &question);
	if (!question.known)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(question.member);
}
