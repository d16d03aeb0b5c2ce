/*
 * exact.c - ribbon_build_exact: the keys of a universe in, with whether they
 * are members, an exact set out
 *
 * A row is a record of two words: the key's hash, and its second hash with the
 * lowest bit replaced by whether it is a member.  So a key that is both is
 * found when records are sorted, and keys of one hash are told apart.  All else
 * is as with ribbon_build and ribbon_map, whose combine, serial and deserial
 * functions this aggregate has, too: a state says itself what it is of.
 */
#include "aggregate/aggregate.h"

#include "key/keyhash.h"
#include "server/server.h"

PG_FUNCTION_INFO_V1(ribbon_build_exact_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_exact_finalfn);

#define KEY_ARGUMENT	 1
#define MEMBER_ARGUMENT	 2
#define OPTIONS_ARGUMENT 3

/* ribbon_build_exact_transfn(state, key, member [, options]) */
Datum
ribbon_build_exact_transfn(PG_FUNCTION_ARGS)
{
	BuildSite *site = ribbon_buildsite_open(fcinfo, RIBBON_AGGREGATE_EXACT);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	if (PG_NARGS() > OPTIONS_ARGUMENT)
		ribbon_buildsite_read_options(fcinfo, site, OPTIONS_ARGUMENT);
	if (state == NULL)
		state =
			ribbon_buildsite_new_state(site,
									   ribbon_buildstate_context(fcinfo,
																 RIBBON_AGGREGATE_EXACT));
	ribbon_buildstate_check_same(&state->params, &site->params);

	if (!PG_ARGISNULL(KEY_ARGUMENT) && !PG_ARGISNULL(MEMBER_ARGUMENT))
	{
		RibbonKeyHashes hashes =
			ribbon_keyhash_both(&site->key_type, PG_GETARG_DATUM(KEY_ARGUMENT));
		uint64_t *record = ribbon_buildstate_next(state, site);

		record[0] = hashes.first;
		record[1] = ribbon_exact_word(hashes.second,
									  PG_GETARG_BOOL(MEMBER_ARGUMENT));
		state->nwords += RIBBON_RECORD_WORDS;
	}
	PG_RETURN_POINTER(state);
}

/* ribbon_build_exact_finalfn(state, NULL, NULL [, NULL]) */
Datum
ribbon_build_exact_finalfn(PG_FUNCTION_ARGS)
{
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* not one row came, but the type of the key is known */
	if (state == NULL)
		state =
			ribbon_buildsite_new_state(ribbon_buildsite_open(fcinfo,
															 RIBBON_AGGREGATE_EXACT),
									   CurrentMemoryContext);
	PG_RETURN_POINTER(ribbon_buildstate_result(state, fcinfo));
}

void
ribbon_exact_conflict(const void *arg,
					  const uint64_t records[2 * RIBBON_RECORD_WORDS])
{
	(void) arg;
	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_build_exact is both a member and not a member"),
			 errdetail("The hash of the key is %lld.", (long long) records[0]),
			 errhint("Find it by ribbon_hash(key), or aggregate first, so that each key comes once: with bool_or(member) it is a member if any of its rows says so.")));
	pg_unreachable();
}
