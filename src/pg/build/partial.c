/*
 * partial.c - states of ribbon_build that leave their node
 *
 * A parallel worker aggregates its share of the rows, and sends each group's
 * state to the leader as bytes (serialize), which reads them (deserialize) and
 * adds them to what it has (combine).  Partitionwise plans do the same
 * within one process.
 *
 * Bytes are costly to send: the leader takes longer to receive a hash than to
 * compute it, and a partial state may not exceed 1 GB.  So only small states
 * are sent whole.  A large one goes into a file that the leader can open, if
 * it is not in one already, and what is sent is the file's name and the
 * blocks that belong to the group.  The leader makes these blocks its own by
 * adding them to its lists, and reads them once the set is complete.
 * partialbytes.h has the layout of both.
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
 * - a file is opened only by the random number in it (sharedfile.c),
 *   and only blocks that are in it are taken, each once.
 *
 * What cannot be checked is that a state is one: a pointer to something else is
 * for the extension not to hand to us, as with any value of type internal.
 */
#include "build/aggregate.h"

#include "build/partialbytes.h"
#include "key/key.h"
#include "server/server.h"
#include "utils/memutils.h"

/* 128 kB: to send more takes longer than to write a file. */
#define MAX_SMALL_HASHES (16 * 1024)

#define MAX_PARTIAL_HASHES \
	((MaxAllocSize - VARHDRSZ - RIBBON_PARTIAL_HEADER) / sizeof(uint64_t))

/* A file that a large state names. */
typedef struct TakenFile
{
	uint32 number;	/* which of the spill's it is here */
	uint64 nhashes; /* that it has room for */
	uint8 *blocks;	/* a bit for each: is it taken? */
} TakenFile;

PG_FUNCTION_INFO_V1(ribbon_build_combinefn);
PG_FUNCTION_INFO_V1(ribbon_build_serialfn);
PG_FUNCTION_INFO_V1(ribbon_build_deserialfn);

static BuildSpace *open_space(FunctionCallInfo fcinfo);
static struct varlena *new_partial(size_t size);
static void check_count(size_t n);
static struct varlena *serialize_hashes(const BuildState *state,
										const uint64 *hashes, size_t n);
static struct varlena *serialize_store_whole(BuildState *state);
static struct varlena *serialize_store_lists(BuildState *state);
static void take_lists(BuildState *state, BuildSpace *space,
					   const RibbonPartial *partial);
static void take_file(TakenFile *file, TakenFile *files, RibbonSpill *spill,
					  const RibbonFileName *name);
static void take_list(RibbonKeyStore *store, RibbonBlockList *list,
					  const uint8_t **at, TakenFile *files);
pg_noreturn static void refuse(void);

/* ribbon_build_combinefn(state, state) */
Datum
ribbon_build_combinefn(PG_FUNCTION_ARGS)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	BuildState *other = ribbon_buildstate_argument(fcinfo, 1);

	if (other == NULL || other == state)
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}

	if (state == NULL)
		state = ribbon_buildstate_create(ribbon_buildstate_context(fcinfo),
										 &other->params);
	ribbon_buildstate_check_same(&state->params, &other->params);
	state->params.key_class = ribbon_keyclass_join(state->params.key_class,
												   other->params.key_class);

	ribbon_buildstate_add(state, space, other->hashes, other->nhashes);
	if (other->store != NULL)
	{
		if (state->store == NULL &&
			ribbon_spill_context(other->store->spill) == space->plan)
			state->store = ribbon_keystore_create(GetMemoryChunkContext(state),
												  other->store->spill);
		else if (state->store == NULL)
			ribbon_buildstate_open_store(state, space);
		ribbon_buildstate_changes(state);
		ribbon_keystore_absorb(state->store, other->store);
		if (other->store->spill == NULL)
			other->store = NULL;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_serialfn(state) returns bytea */
Datum
ribbon_build_serialfn(PG_FUNCTION_ARGS)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = (BuildState *) PG_GETARG_POINTER(0);

	if (state->store == NULL &&
		(state->nhashes <= MAX_SMALL_HASHES || !space->gives))
		PG_RETURN_POINTER(serialize_hashes(state, state->hashes,
										   state->nhashes));

	ribbon_buildstate_flush(state, space);
	if (!space->gives || !ribbon_spill_is_shared(state->store->spill))
		PG_RETURN_POINTER(serialize_store_whole(state));
	PG_RETURN_POINTER(serialize_store_lists(state));
}

/* ribbon_build_deserialfn(bytea, internal) returns a state */
Datum
ribbon_build_deserialfn(PG_FUNCTION_ARGS)
{
	BuildSpace *space = open_space(fcinfo);
	struct varlena *bytes = PG_GETARG_VARLENA_PP(0);
	RibbonPartial partial;
	BuildState *state;

	if (!ribbon_partial_read(&partial, (const uint8_t *) VARDATA_ANY(bytes),
							 VARSIZE_ANY_EXHDR(bytes)) ||
		ribbon_keyclass_objection(partial.params.key_class) != NULL)
		refuse();

	state = ribbon_buildstate_create(CurrentMemoryContext, &partial.params);
	if (partial.large)
		take_lists(state, space, &partial);
	else
	{
		state->hashes = palloc(Max(partial.nhashes, 1) * sizeof(uint64_t));
		state->nhashes = state->capacity = partial.nhashes;
		ribbon_partial_hashes(&partial, state->hashes);
	}

	PG_RETURN_POINTER(state);
}

static BuildSpace *
open_space(FunctionCallInfo fcinfo)
{
	BuildSpace *space = fcinfo->flinfo->fn_extra;

	if (unlikely(space == NULL))
	{
		space = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									   sizeof(BuildSpace));
		ribbon_buildstate_init_space(space, fcinfo);
		fcinfo->flinfo->fn_extra = space;
	}
	return space;
}

/* Refuse to send so many hashes whole. */
static void
check_count(size_t n)
{
	if (n > MAX_PARTIAL_HASHES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of ribbon_build exceeds the maximum of 1 GB"),
				 errdetail("It has %zu keys.", n)));
}

/* Room for a header and size bytes behind it. */
static struct varlena *
new_partial(size_t size)
{
	struct varlena *partial;

	size += VARHDRSZ + RIBBON_PARTIAL_HEADER;
	partial = palloc(size);
	SET_VARSIZE(partial, size);
	return partial;
}

static struct varlena *
serialize_hashes(const BuildState *state, const uint64 *hashes, size_t n)
{
	struct varlena *partial;
	uint8_t *out;

	check_count(n);
	partial = new_partial(n * sizeof(uint64));
	out = ribbon_partial_put_header((uint8_t *) VARDATA(partial),
									&state->params, false, n);
	ribbon_partial_put_hashes(out, hashes, n);
	return partial;
}

/* For a process that cannot open our files. */
static struct varlena *
serialize_store_whole(BuildState *state)
{
	size_t n = ribbon_keystore_seal(state->store);
	uint64 *hashes;
	struct varlena *partial;

	check_count(n);
	hashes = MemoryContextAllocHuge(CurrentMemoryContext,
									Max(n, 1) * sizeof(uint64));
	n = ribbon_keystore_read(state->store, 0, PG_UINT64_MAX, hashes, n);
	partial = serialize_hashes(state, hashes, n);
	pfree(hashes);
	return partial;
}

/* Name the files that a store's blocks are in, and list the blocks. */
static struct varlena *
serialize_store_lists(BuildState *state)
{
	RibbonKeyStore *store = state->store;
	uint32 nfiles = ribbon_spill_nfiles(store->spill);
	uint32 nlists = store->parts != NULL ? RIBBON_KEYSTORE_PARTS : 1;
	const RibbonBlockList *lists = store->parts != NULL ? store->parts :
														  &store->whole;
	size_t size = (2 + nlists) * RIBBON_PARTIAL_NUMBER +
		(size_t) nfiles * RIBBON_PARTIAL_FILE;
	struct varlena *partial;
	uint8_t *out;

	for (uint32 i = 0; i < nlists; i++)
		size += (size_t) lists[i].nblocks * RIBBON_PARTIAL_BLOCK;

	partial = new_partial(size);
	out = ribbon_partial_put_header((uint8_t *) VARDATA(partial),
									&state->params, true, 0);
	out = ribbon_partial_put_number(out, nfiles);
	out = ribbon_partial_put_number(out, nlists);
	for (uint32 i = 0; i < nfiles; i++)
		out = ribbon_partial_put_file(out, ribbon_spill_give(store->spill, i));
	for (uint32 i = 0; i < nlists; i++)
	{
		out = ribbon_partial_put_number(out, lists[i].nblocks);
		for (uint32 b = 0; b < lists[i].nblocks; b++)
			out = ribbon_partial_put_block(out, &lists[i].blocks[b]);
	}
	Assert(out == (uint8_t *) partial + VARSIZE(partial));

	store->given = true;
	return partial;
}

/* The reverse: open these files, and take over the blocks. */
static void
take_lists(BuildState *state, BuildSpace *space, const RibbonPartial *partial)
{
	const uint8_t *at = partial->lists;
	TakenFile *files;
	RibbonKeyStore *store;

	if (!space->takes)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("partial state of ribbon_build is in temporary files"),
				 errdetail("Such a state can be read only by the plan that it is a part of.")));

	ribbon_buildstate_open_store(state, space);
	store = state->store;
	store->given = true;

	files = MemoryContextAllocHuge(CurrentMemoryContext,
								   Max(partial->nfiles, 1) * sizeof(TakenFile));
	for (uint32 i = 0; i < partial->nfiles; i++)
	{
		RibbonFileName name = ribbon_partial_file(partial, i);

		take_file(&files[i], files, store->spill, &name);
	}

	if (partial->nlists == 1)
		take_list(store, &store->whole, &at, files);
	else
	{
		store->parts = palloc0(RIBBON_KEYSTORE_PARTS * sizeof(RibbonBlockList));
		for (uint32 i = 0; i < partial->nlists; i++)
			take_list(store, &store->parts[i], &at, files);
	}

	for (uint32 i = 0; i < partial->nfiles; i++)
		pfree(files[i].blocks);
	pfree(files);
}

/* Open one more of the files, which must not be one of those before. */
static void
take_file(TakenFile *file, TakenFile *files, RibbonSpill *spill,
		  const RibbonFileName *name)
{
	uint64 nblocks;

	file->number = ribbon_spill_adopt(spill, name);
	for (const TakenFile *other = files; other < file; other++)
		if (other->number == file->number)
			refuse();
	file->nhashes = ribbon_spill_file_hashes(spill, file->number);
	nblocks = file->nhashes / RIBBON_BLOCK_HASHES + 1;
	file->blocks =
		MemoryContextAllocExtended(CurrentMemoryContext, nblocks / 8 + 1,
								   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
take_list(RibbonKeyStore *store, RibbonBlockList *list, const uint8_t **at,
		  TakenFile *files)
{
	for (uint32 n = ribbon_partial_next_list(at); n > 0; n--)
	{
		RibbonBlock block = ribbon_partial_next_block(at);
		TakenFile *file = &files[block.file];
		uint64 end = (uint64) block.number * RIBBON_BLOCK_HASHES +
			block.nhashes;

		if (end > file->nhashes ||
			(file->blocks[block.number / 8] & 1 << block.number % 8) != 0)
			refuse();
		file->blocks[block.number / 8] |= 1 << block.number % 8;
		block.file = file->number;
		ribbon_blocklist_take(store, list, &block);
	}
}

static void
refuse(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of ribbon_build")));
	pg_unreachable();
}
