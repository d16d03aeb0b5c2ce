/*
 * partial.c - states of ribbon_build, ribbon_map and ribbon_build_exact that
 * leave their node
 *
 * A parallel worker aggregates its share of the rows, and sends each group's
 * state to the leader as bytes (serialize), which reads them (deserialize) and
 * combines them with what it has.  Partitionwise plans do the same within one
 * process.  A state knows its aggregate: ribbon_build_exact has the functions
 * of ribbon_build.
 *
 * Bytes are costly to send: the leader takes longer to receive a hash than to
 * compute it, and a partial state may not exceed 1 GB.  So states of more than
 * 128 kB go into a file that the leader can open, if they are not in one
 * already, and what is sent is the file's name and the blocks that belong to
 * the group.  The leader makes these blocks its own by adding them to its
 * lists, and reads them once the set is complete.
 *
 *----------
 *	 head	PartialHead: the parameters, and what follows
 *	 values	of a map: value/buildvalues.c
 *	 whole	words: hashes, or records of a hash and a word more
 *	 or in files	their names and blocks: spill/spillset.c
 *----------
 *
 * Numbers and structs are as they are in memory, and there is nothing behind
 * the last.  The version refuses bytes of a machine where they are otherwise.
 *
 * No SQL statement can call these functions, which take and return values of
 * type internal.  But an extension that ships states to other servers may: it
 * may have functions of its own, for every user, that call deserialize with any
 * bytes and combine with any states of ours.  So
 *
 * - all of the bytes are checked, and a state of another key class is refused;
 * - files are named only to a node of a plan that calls us itself (buildspace.c
 *   finds out), and looked for only by one, whose bytes come from another node
 *   of the plan.  For any other caller states are sent whole, and must be;
 * - of files, those of the same query's processes alone have names.
 *
 * What cannot be checked is that a state is one: a pointer to something else is
 * for the extension not to hand to us, as with any value of type internal.
 */
#include "aggregate/aggregate.h"

#include "key/keyclass.h"
#include "libpq/pqformat.h"
#include "server/progress.h"
#include "server/server.h"
#include "utils/memutils.h"

/* 128 kB are sent whole: to send more takes longer than to write a file. */
#define MAX_SENT_WORDS (16 * 1024)

/*
 * Counted up whenever the bytes of a state change; and other sizes of the head,
 * or another order of bytes, are another version, too.
 */
#define PARTIAL_COUNT 1
#define PARTIAL_VERSION \
	(0x52000000 + PARTIAL_COUNT * 0x10000 + (uint32) sizeof(PartialHead))

typedef struct PartialHead
{
	uint32 version;
	uint8 in_files; /* 0 or 1 */
	uint64 nwords;	/* of a state that is sent whole */
	RibbonBuildParams params;
} PartialHead;

/* The aggregate that builds a type, where a state's own is not known. */
static RibbonAggregate
aggregate_of(RibbonSqlType type)
{
	return type == RIBBON_SQL_MAP ? RIBBON_AGGREGATE_MAP :
									RIBBON_AGGREGATE_BUILD;
}

/* Throw: this is no state of an aggregate. */
pg_noreturn static void
refuse_state(RibbonAggregate aggregate)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of %s",
					ribbon_aggregate_info(aggregate)->name)));
}

/* Elements of so many words, on their way to a message. */
typedef struct Sending
{
	StringInfo out;
	unsigned stride;
} Sending;

/* A RibbonTakeElements. */
static RibbonStatus
append_elements(void *arg, const uint64_t *elements, size_t n)
{
	Sending *sending = arg;

	appendBinaryStringInfo(sending->out, (const char *) elements,
						   (int) (n * sending->stride * sizeof(uint64)));
	return RIBBON_OK;
}

/* All words, for a process that cannot open our files. */
static void
put_words(StringInfo out, RibbonBuildState *state, uint64 nwords)
{
	Sending sending = {out, ribbon_buildparams_stride(&state->params)};

	if (nwords > (MaxAllocSize - out->len) / sizeof(uint64) - 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of %s exceeds the maximum of 1 GB",
						ribbon_buildparams_info(&state->params)->name),
				 errdetail("It has %llu keys.",
						   (unsigned long long)
							   ribbon_buildstate_count(state))));
	ribbon_buildstate_each(state, append_elements, &sending);
}

/* The set of a state that is sent in files, which are shared; else NULL. */
static RibbonSet *
set_in_files(RibbonBuildState *state, RibbonBuildSpace *space)
{
	RibbonSet *set = state->set;

	if (!space->gives || set == NULL ||
		(!set->in_file && set->narray <= MAX_SENT_WORDS))
		return NULL;
	set = ribbon_buildstate_open_file(state, space);
	return ribbon_spillset_spill(set)->shared ? set : NULL;
}

/* ribbon_build_serialfn(state), ribbon_map_serialfn(state) return bytea */
static Datum
serialize_state(FunctionCallInfo fcinfo)
{
	RibbonBuildSpace *space = ribbon_buildspace_open(fcinfo);
	RibbonBuildState *state = (RibbonBuildState *) PG_GETARG_POINTER(0);
	RibbonSet *set = set_in_files(state, space);
	PartialHead head;
	StringInfoData out;

	memset(&head, 0, sizeof(head));
	head.version = PARTIAL_VERSION;
	head.in_files = set != NULL;
	head.params = state->params;
	if (set == NULL)
	{
		/* from files, not with all duplicates */
		if (state->set != NULL && state->set->in_file)
			(void) ribbon_buildstate_seal(state, NULL);
		head.nwords = ribbon_buildstate_count(state) *
			ribbon_buildparams_stride(&state->params);
	}

	pq_begintypsend(&out);
	appendBinaryStringInfo(&out, (const char *) &head, sizeof(head));
	if (ribbon_buildparams_is_map(&state->params))
		ribbon_buildvalues_put(&out, state->values);
	if (set != NULL)
		ribbon_buildstate_check(state, set, ribbon_spillset_put(&out, set));
	else
		put_words(&out, state, head.nwords);
	ribbon_progress_end();
	PG_RETURN_BYTEA_P(pq_endtypsend(&out));
}

/* Are these parameters of ribbon_build, ribbon_map or ribbon_build_exact? */
static bool
are_params_valid(const RibbonBuildParams *params)
{
	bool map = ribbon_buildparams_is_map(params);
	RibbonParams core = ribbon_buildparams_core(params);

	if (map && core.fpr == 1)
		core.fpr = RIBBON_MAX_FPR;
	if (params->aggregate >= RIBBON_NAGGREGATES ||
		!ribbon_buildparams_info(params)->is_internal ||
		ribbon_params_check(&core) != RIBBON_OK ||
		(map && params->kind != RIBBON_BURR) ||
		(params->kind == RIBBON_EXACT) !=
			(ribbon_buildparams_info(params)->elements ==
			 RIBBON_EXACT_RECORDS) ||
		(core.fpr == 1) != (params->aggregate == RIBBON_AGGREGATE_EXACT))
		return false;
	if (map ? params->coding > RIBBON_CODING_AUTO :
			  params->coding != RIBBON_CODING_PLAIN ||
				(params->as_of != 0 && !params->has_as_of))
		return false;
	return params->key_class == 0 ||
		ribbon_keyclass_objection(params->key_class) == NULL;
}

/* false if the bytes are not of a state of this type. */
static bool
get_head(StringInfo in, RibbonSqlType type, PartialHead *head)
{
	if (in->len == 0)
		return false;
	pq_copymsgbytes(in, (char *) head, sizeof(*head));
	return head->version == PARTIAL_VERSION && head->in_files <= 1 &&
		are_params_valid(&head->params) &&
		ribbon_buildparams_info(&head->params)->type == type &&
		head->nwords <= (head->in_files ? 0 : MaxAllocSize / sizeof(uint64)) &&
		head->nwords % ribbon_buildparams_stride(&head->params) == 0;
}

/* Of a map's records all values must be known. */
static void
get_words(StringInfo in, RibbonBuildState *state, uint64 n)
{
	unsigned of_record = ribbon_buildparams_stride(&state->params);
	int size = (int) (n * sizeof(uint64));
	const char *bytes = pq_getmsgbytes(in, size);

	state->words = palloc(Max(size, 1));
	state->nwords = state->capacity = (uint32) n;
	memcpy(state->words, bytes, size);
	if (!ribbon_buildparams_is_map(&state->params))
		return;
	for (uint64 i = 1; i < n; i += of_record)
		if (!ribbon_buildvalues_has(state->values, state->words[i]))
			refuse_state(RIBBON_AGGREGATE_MAP);
}

/* A set of blocks in files, which are those of the plan that calls. */
static void
get_files(StringInfo in, RibbonBuildState *state, RibbonBuildSpace *space)
{
	RibbonStatus status;

	if (!space->takes)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("partial state of %s is in temporary files",
						ribbon_buildparams_info(&state->params)->name),
				 errdetail("Such a state can be read only by the plan that it is a part of.")));
	status = ribbon_spillset_get(in, ribbon_buildstate_open_file(state, space));
	if (status == RIBBON_CORRUPT)
		refuse_state(state->params.aggregate);
	ribbon_buildstate_check(state, state->set, status);
}

/*
 * ribbon_build_deserialfn(bytea, internal), ribbon_map_deserialfn(bytea,
 * internal) return a state
 */
static Datum
deserialize_state(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *bytes = PG_GETARG_VARLENA_PP(0);
	StringInfoData in = {.data = VARDATA_ANY(bytes),
						 .len = (int) VARSIZE_ANY_EXHDR(bytes)};
	PartialHead head;
	RibbonAggregate aggregate;
	RibbonBuildState *state;

	if (!get_head(&in, type, &head))
		refuse_state(aggregate_of(type));
	aggregate = head.params.aggregate;
	state = ribbon_buildstate_create(CurrentMemoryContext, &head.params);
	if (type == RIBBON_SQL_MAP &&
		!ribbon_buildvalues_get(&in, state->values,
								GetMemoryChunkContext(state),
								state->params.seed))
		refuse_state(aggregate);

	if (head.in_files)
		get_files(&in, state, ribbon_buildspace_open(fcinfo));
	else
		get_words(&in, state, head.nwords);
	pq_getmsgend(&in);

	/* there is no class if no ribbonkey came */
	if (head.params.key_class == 0 && (head.in_files || head.nwords > 0))
		refuse_state(aggregate);
	PG_RETURN_POINTER(state);
}

/* ribbon_build_combinefn(state, state), ribbon_map_combinefn(state, state) */
static Datum
combine_states(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonAggregate aggregate = aggregate_of(type);
	RibbonBuildSpace *space = ribbon_buildspace_open(fcinfo);
	RibbonBuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	RibbonBuildState *other = ribbon_buildstate_argument(fcinfo, 1);

	if (state == NULL && other == NULL)
		PG_RETURN_NULL();
	if (other == NULL || other == state)
		PG_RETURN_POINTER(state);
	if (state != NULL)
		aggregate = state->params.aggregate;
	if (ribbon_buildparams_info(&other->params)->type != type ||
		(state != NULL && aggregate != other->params.aggregate))
		refuse_state(aggregate);

	if (state == NULL)
		state = ribbon_buildstate_create(ribbon_buildspace_context(fcinfo,
																   aggregate),
										 &other->params);
	ribbon_buildparams_check_same(&state->params, &other->params);
	ribbon_buildstate_join_class(state, other->params.key_class);
	if (type == RIBBON_SQL_MAP)
		ribbon_buildvalues_join(state->values, GetMemoryChunkContext(state),
								other->values);
	ribbon_buildstate_absorb(state, space, other);
	PG_RETURN_POINTER(state);
}

RIBBON_SQL_PAIR(ribbon_build_combinefn, ribbon_map_combinefn, combine_states);
RIBBON_SQL_FUNCTION(ribbon_build_serialfn, serialize_state(fcinfo));
RIBBON_SQL_FUNCTION(ribbon_map_serialfn, serialize_state(fcinfo));
RIBBON_SQL_PAIR(ribbon_build_deserialfn, ribbon_map_deserialfn,
				deserialize_state);
