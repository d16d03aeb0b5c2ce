/*
 * partial.c - states of ribbon_build and ribbon_map that leave their node
 *
 * A parallel worker aggregates its share of the rows, and sends each group's
 * state to the leader as bytes (serialize), which reads them (deserialize) and
 * combines them with what it has (aggregate.c).  Partitionwise plans do the
 * same within one process.
 *
 * Bytes are costly to send: the leader takes longer to receive a hash than to
 * compute it, and a partial state may not exceed 1 GB.  So only small states
 * are sent whole.  A large one goes into a file that the leader can open, if
 * it is not in one already, and what is sent is the file's name and the
 * blocks that belong to the group.  The leader makes these blocks its own by
 * adding them to its lists, and reads them once the set is complete.
 *
 *----------
 *	 SIZE	MEANING
 *	 1		version of these bytes
 *	 1		aggregate
 *	 1, 1	kind, width
 *	 1		coding
 *	 1		is there an as_of?
 *	 4		key class, with the classes of its parts
 *	 4		seed
 *	 8		false-positive rate; of an exact set as_of
 *	 map
 *	 1		value class
 *	 1		flags: see BuildValues
 *	 8, 8	least and greatest number
 *	 4		number of texts: those of the dictionary, after its head, which
 *	 		is the first; or 0 without a dictionary
 *	 4, n	each text: its length, and the text
 *	 all
 *	 1		in files: 0 or 1
 *	 whole
 *	 8		number of words
 *	 8 each	words: hashes, or records of a hash and a value word
 *	 in files
 *	 4		number of files
 *	 12 each	files: pid, number, tablespace
 *	 4		number of lists of blocks: 1, or one for each part (spill.h)
 *	 		each list:
 *	 4		number of blocks
 *	 12 each	blocks: which of the files, which block, its words
 *----------
 *
 * Numbers are big-endian, as the server sends them (pqformat.c), and there is
 * nothing behind the last.
 *
 * No SQL statement can call these functions, which take and return values of
 * type internal.  But an extension that ships states to other servers may: it
 * may have functions of its own, for every user, that call deserialize with any
 * bytes and combine with any states of ours.  So
 *
 * - all of the bytes are checked, and a state of another key class is refused;
 * - files are named only to a node of a plan that calls us itself (buildstate.c
 *   finds out), and looked for only by one, whose bytes come from another node
 *   of the plan.  For any other caller states are sent whole, and must be;
 * - of files, those of the same query's processes alone have names.
 *
 * What cannot be checked is that a state is one: a pointer to something else is
 * for the extension not to hand to us, as with any value of type internal.
 */
#include "aggregate/aggregate.h"

#include "key/key.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "port/pg_bswap.h"
#include "server/server.h"
#include "utils/memutils.h"

#define PARTIAL_VERSION 1

/* 128 kB: to send more takes longer than to write a file. */
#define MAX_SMALL_WORDS (16 * 1024)

#define FILE_SIZE 12 /* bytes of its name */

static void
put_params(StringInfo out, const BuildParams *params)
{
	pq_sendbyte(out, PARTIAL_VERSION);
	pq_sendbyte(out, params->aggregate);
	pq_sendbyte(out, params->kind);
	pq_sendbyte(out, params->width);
	pq_sendbyte(out, params->coding);
	pq_sendbyte(out, params->has_as_of);
	pq_sendint32(out, (uint32) params->key_class);
	pq_sendint32(out, params->seed);
	if (ribbon_buildparams_is_exact(params))
		pq_sendint64(out, (uint64) params->as_of);
	else
		pq_sendfloat8(out, params->fpr);
}

static void
put_text(StringInfo out, const char *text, uint32 length)
{
	pq_sendint32(out, length);
	pq_sendbytes(out, text, (int) length);
}

static void
put_values(StringInfo out, const BuildValues *values)
{
	const RibbonDictionary *dictionary = values->dictionary;
	const RibbonDictionaryText *text;
	uint32 at = 0;

	pq_sendbyte(out, values->value_class);
	pq_sendbyte(out, values->flags);
	pq_sendint64(out, (uint64) values->least);
	pq_sendint64(out, (uint64) values->greatest);
	pq_sendint32(out, dictionary != NULL ? 1 + dictionary->ntexts : 0);
	if (dictionary == NULL)
		return;
	put_text(out, dictionary->bytes.data, dictionary->nhead);
	while ((text = ribbon_dictionary_next(dictionary, &at)) != NULL)
		put_text(out, dictionary->bytes.data + text->at, text->length);
}

/*
 * What its files and blocks are called.  They are for another process or node
 * from now on.
 */
static void
put_store(StringInfo out, RibbonKeyStore *store)
{
	uint32 nfiles = ribbon_spill_nfiles(store->spill);

	pq_sendint32(out, nfiles);
	for (uint32 i = 0; i < nfiles; i++)
	{
		const RibbonFileName *name = ribbon_spill_give(store->spill, i);

		pq_sendint32(out, name->pid);
		pq_sendint32(out, name->number);
		pq_sendint32(out, name->tablespace);
	}
	pq_sendint32(out, store->nlists);
	for (uint32 i = 0; i < store->nlists; i++)
	{
		const RibbonBlockList *list = &store->lists[i];

		pq_sendint32(out, list->nblocks);
		for (uint32 b = 0; b < list->nblocks; b++)
		{
			pq_sendint32(out, list->blocks[b].file);
			pq_sendint32(out, list->blocks[b].number);
			pq_sendint32(out, list->blocks[b].nwords);
		}
	}
	store->given = true;
}

/* All of them, for a process that cannot open our files. */
static void
put_words(StringInfo out, BuildState *state)
{
	RibbonKeyStore *store = state->store;
	uint64 n = store != NULL ? ribbon_keystore_seal(store) : state->nwords;
	uint64 *words = state->words;

	if (n > (MaxAllocSize - out->len) / sizeof(uint64) - 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of %s exceeds the maximum of 1 GB",
						ribbon_buildparams_name(&state->params)),
				 errdetail("It has %llu keys.",
						   (unsigned long long) n /
							   ribbon_buildstate_records(state).words)));
	if (store != NULL)
	{
		words = palloc(Max(n, 1) * sizeof(uint64));
		n = ribbon_keystore_read(store, 0, PG_UINT64_MAX, words, n);
	}
	pq_sendint64(out, n);
	enlargeStringInfo(out, (int) (n * sizeof(uint64)));
	for (uint64 i = 0; i < n; i++)
		pq_writeint64(out, words[i]);
	if (store != NULL)
		pfree(words);
}

/* ribbon_build_serialfn(state), ribbon_map_serialfn(state) return bytea */
static Datum
serialize_state(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	BuildSpace *space = ribbon_buildstate_open_space(fcinfo);
	BuildState *state = (BuildState *) PG_GETARG_POINTER(0);
	bool in_files = space->gives &&
		(state->store != NULL || state->nwords > MAX_SMALL_WORDS);
	StringInfoData out;

	(void) type; /* the state says it itself */
	if (in_files || state->store != NULL)
		ribbon_buildstate_flush(state, space);
	in_files = in_files && ribbon_spill_is_shared(state->store->spill);

	pq_begintypsend(&out);
	put_params(&out, &state->params);
	if (state->params.aggregate == RIBBON_AGGREGATE_MAP)
		put_values(&out, state->values);
	pq_sendbyte(&out, in_files);
	if (in_files)
		put_store(&out, state->store);
	else
		put_words(&out, state);
	PG_RETURN_BYTEA_P(pq_endtypsend(&out));
}

/* false if these are not parameters of an aggregate that it names. */
static bool
get_params(StringInfo in, BuildParams *params)
{
	int version = pq_getmsgbyte(in);
	int aggregate = pq_getmsgbyte(in);
	bool map = aggregate == RIBBON_AGGREGATE_MAP;
	bool exact = aggregate == RIBBON_AGGREGATE_EXACT;
	BuildParams of_filter;
	int has_as_of;

	params->aggregate = (uint8) aggregate;
	params->kind = (uint8) pq_getmsgbyte(in);
	params->width = (uint8) pq_getmsgbyte(in);
	params->coding = (uint8) pq_getmsgbyte(in);
	has_as_of = pq_getmsgbyte(in);
	params->has_as_of = has_as_of == 1;
	params->key_class = (int) pq_getmsgint(in, 4);
	params->seed = pq_getmsgint(in, 4);
	if (exact)
		params->as_of = pq_getmsgint64(in);
	else
		params->fpr = pq_getmsgfloat8(in);

	of_filter = *params;
	if (exact || (map && params->fpr == 1))
		of_filter.fpr = RIBBON_MAX_FPR;
	if (version != PARTIAL_VERSION || aggregate > RIBBON_AGGREGATE_EXACT ||
		has_as_of > exact || !ribbon_buildparams_are_valid(&of_filter) ||
		((map || exact) && params->kind != RIBBON_BURR))
		return false;
	if (map ? params->coding > RIBBON_CODE_AUTO :
			  params->coding != RIBBON_CODE_PLAIN || params->seed != 0)
		return false;
	if (exact &&
		(has_as_of == 1 ? !ribbon_is_as_of(params->as_of) : params->as_of != 0))
		return false;
	return params->key_class == 0 ||
		ribbon_keyclass_objection(params->key_class) == NULL;
}

/* One in UTF-8, which is in the message. */
static const char *
get_text(StringInfo in, uint32 *length)
{
	const char *text;

	*length = pq_getmsgint(in, 4);
	if (*length > INT_MAX)
		ribbon_partial_refuse(RIBBON_AGGREGATE_MAP);
	text = pq_getmsgbytes(in, (int) *length);
	if (!pg_verify_mbstr(PG_UTF8, text, (int) *length, true))
		ribbon_partial_refuse(RIBBON_AGGREGATE_MAP);
	return text;
}

/*
 * Can these be the head of a dictionary: two names, not empty and in UTF-8?
 */
static bool
is_head(const char *head, uint32 nhead)
{
	uint32 at = 0;

	for (int name = 0; name < 2; name++)
	{
		uint8 length = at < nhead ? (uint8) head[at] : 0;

		if (length == 0 || length >= nhead - at ||
			!pg_verify_mbstr(PG_UTF8, head + at + 1, length, true))
			return false;
		at += 1 + length;
	}
	return at == nhead;
}

static void
get_values(StringInfo in, BuildState *state)
{
	BuildValues *values = state->values;
	uint8 value_class = (uint8) pq_getmsgbyte(in);
	uint32 ntexts;
	uint32 length = 0;
	const char *text = NULL;

	values->flags = (uint8) pq_getmsgbyte(in);
	values->least = pq_getmsgint64(in);
	values->greatest = pq_getmsgint64(in);
	ntexts = pq_getmsgint(in, 4);
	if (ntexts > 0)
		text = get_text(in, &length);
	if (value_class >= RIBBON_NVALUE_CLASSES ||
		(values->flags & ~BUILD_ALL_FLAGS) != 0 ||
		values->least > values->greatest ||
		(value_class == RIBBON_VALUE_DICTIONARY) != (ntexts > 0) ||
		(ntexts > 0 &&
		 (!is_head(text, length) || (values->flags & ~BUILD_HAS_NULL) != 0)))
		ribbon_partial_refuse(RIBBON_AGGREGATE_MAP);

	ribbon_buildvalues_init(state, (RibbonValueClass) value_class,
							(const uint8 *) text, length);
	for (uint32 i = 1; i < ntexts; i++)
	{
		text = get_text(in, &length);
		ribbon_dictionary_add(values->dictionary, text, length,
							  state->params.seed);
	}
}

/* Of a map's records all values must be known. */
static void
get_words(StringInfo in, BuildState *state)
{
	uint64 n = (uint64) pq_getmsgint64(in);
	unsigned of_record = ribbon_buildstate_records(state).words;
	const char *bytes;

	if (n > MaxAllocSize / sizeof(uint64) || n % of_record != 0)
		ribbon_partial_refuse((RibbonAggregate) state->params.aggregate);
	bytes = pq_getmsgbytes(in, (int) (n * sizeof(uint64)));
	state->words = palloc(Max(n, 1) * sizeof(uint64));
	state->nwords = state->capacity = n;
	memcpy(state->words, bytes, n * sizeof(uint64));
	for (uint64 i = 0; i < n; i++)
	{
		state->words[i] = pg_ntoh64(state->words[i]);
		if (state->params.aggregate == RIBBON_AGGREGATE_MAP &&
			i % of_record == 1 &&
			!ribbon_buildvalues_has(state->values, state->words[i]))
			ribbon_partial_refuse(RIBBON_AGGREGATE_MAP);
	}
}

/* The reverse, for an empty store. */
static void
get_store(StringInfo in, RibbonKeyStore *store)
{
	uint32 nfiles = pq_getmsgint(in, 4);
	uint32 *files;
	uint32 nlists;

	if (nfiles > (uint32) in->len / FILE_SIZE)
		ribbon_partial_refuse(RIBBON_AGGREGATE_BUILD);
	files = palloc(Max(nfiles, 1) * sizeof(uint32));
	for (uint32 i = 0; i < nfiles; i++)
	{
		RibbonFileName name;

		name.pid = pq_getmsgint(in, 4);
		name.number = pq_getmsgint(in, 4);
		name.tablespace = pq_getmsgint(in, 4);
		files[i] = ribbon_spill_adopt(store->spill, &name);
	}

	store->given = true;
	nlists = pq_getmsgint(in, 4);
	if (nlists == RIBBON_KEYSTORE_PARTS)
		ribbon_keystore_open_parts(store);
	else if (nlists != 1)
		ribbon_partial_refuse(RIBBON_AGGREGATE_BUILD);
	for (uint32 i = 0; i < nlists; i++)
		for (uint32 nblocks = pq_getmsgint(in, 4); nblocks > 0; nblocks--)
		{
			RibbonBlock block = {0};

			block.file = pq_getmsgint(in, 4);
			block.number = pq_getmsgint(in, 4);
			block.nwords = pq_getmsgint(in, 4);
			if (block.file >= nfiles || block.nwords == 0 ||
				block.nwords > RIBBON_BLOCK_WORDS ||
				block.nwords % store->records.words != 0)
				ribbon_partial_refuse(RIBBON_AGGREGATE_BUILD);
			block.file = files[block.file];
			ribbon_blocklist_take(store, &store->lists[i], &block);
		}
	pfree(files);
}

/*
 * ribbon_build_deserialfn(bytea, internal), ribbon_map_deserialfn(bytea,
 * internal) return a state
 */
static Datum
deserialize_state(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	BuildSpace *space = ribbon_buildstate_open_space(fcinfo);
	struct varlena *bytes = PG_GETARG_VARLENA_PP(0);
	RibbonAggregate aggregate = (RibbonAggregate) type;
	StringInfoData in = {.data = VARDATA_ANY(bytes),
						 .len = (int) VARSIZE_ANY_EXHDR(bytes)};
	BuildParams params = {0};
	BuildState *state;
	int in_files;

	if (in.len == 0 || !get_params(&in, &params) ||
		(params.aggregate == RIBBON_AGGREGATE_MAP) != (type == RIBBON_SQL_MAP))
		ribbon_partial_refuse(aggregate);
	state = ribbon_buildstate_create(CurrentMemoryContext, &params);
	if (type == RIBBON_SQL_MAP)
		get_values(&in, state);

	in_files = pq_getmsgbyte(&in);
	if (in_files > 1)
		ribbon_partial_refuse(aggregate);
	if (in_files == 0)
		get_words(&in, state);
	else if (space->takes)
	{
		ribbon_buildstate_open_store(state, space);
		get_store(&in, state->store);
	}
	else
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("partial state of %s is in temporary files",
						ribbon_buildparams_name(&params)),
				 errdetail("Such a state can be read only by the plan that it is a part of.")));
	pq_getmsgend(&in);

	/* there is no class if no ribbonkey came */
	if (params.key_class == 0 && (in_files == 1 || state->nwords > 0))
		ribbon_partial_refuse(aggregate);
	PG_RETURN_POINTER(state);
}

RIBBON_SQL_PAIR(ribbon_build_serialfn, ribbon_map_serialfn, serialize_state);
RIBBON_SQL_PAIR(ribbon_build_deserialfn, ribbon_map_deserialfn,
				deserialize_state);

void
ribbon_partial_refuse(RibbonAggregate aggregate)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of %s",
					ribbon_aggregate_name(aggregate))));
	pg_unreachable();
}
