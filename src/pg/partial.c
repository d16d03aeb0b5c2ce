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
 *
 *	 header | hashes								  a small state
 *	 header | counts | names | list of blocks ...	  a large one
 *
 * All numbers are little-endian.  The bytes do not leave the server, but
 * checking them costs nothing.  Elsewhere (an extension may ship states to
 * another server) there would be no such file, so states that are not asked
 * for by a plan of this server are always sent whole.
 */
#include "buildstate.h"

#include "utils/memutils.h"

#define PARTIAL_VERSION 2

/* 128 kB: to send more takes longer than to write a file. */
#define MAX_SMALL_HASHES (16 * 1024)

typedef struct PartialHeader
{
	uint8 version;
	uint8 key_class;
	uint8 kind;
	uint8 width;
	uint32 large; /* 0 or 1 */
	uint64 fpr;	  /* the bits of a double */
	uint64 nhashes;
} PartialHeader;

/* The rest of a large state is 32-bit numbers. */
#define NAME_NUMBERS  (3 + RIBBON_MAX_TABLESPACES)
#define BLOCK_NUMBERS 3

/* Such numbers, and how far they have been read or written. */
typedef struct Numbers
{
	uint32 *at;
	size_t left;
} Numbers;

#define MAX_PARTIAL_HASHES \
	((MaxAllocSize - VARHDRSZ - sizeof(PartialHeader)) / sizeof(uint64_t))

PG_FUNCTION_INFO_V1(ribbon_build_combinefn);
PG_FUNCTION_INFO_V1(ribbon_build_deserialfn);

static BuildSpace *open_space(FunctionCallInfo fcinfo);
static struct varlena *new_partial(const BuildState *state, size_t size);
static struct varlena *serialize_hashes(const BuildState *state,
										const uint64 *hashes, size_t n);
static struct varlena *serialize_store_whole(BuildState *state);
static struct varlena *serialize_store_lists(BuildState *state);
static void put_number(Numbers *numbers, uint32 number);
static void put_name(Numbers *numbers, const RibbonFileName *name);
static void put_list(Numbers *numbers, const RibbonBlockList *list);
static void deserialize_lists(BuildState *state, BuildSpace *space,
							  Numbers *numbers);
static uint32 get_number(Numbers *numbers);
static void get_name(Numbers *numbers, RibbonFileName *name);
static void get_list(Numbers *numbers, RibbonKeyStore *store,
					 RibbonBlockList *list, const uint32 *files, uint32 nfiles);
static void copy_words(void *to, const void *from, size_t n);
pg_noreturn static void reject_partial(void);

/* ribbon_build_combinefn(state, state) */
Datum
ribbon_build_combinefn(PG_FUNCTION_ARGS)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	BuildState *other = ribbon_buildstate_argument(fcinfo, 1);

	if (other == NULL)
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}

	if (state == NULL)
		state = ribbon_buildstate_create(ribbon_buildstate_context(fcinfo),
										 &other->params);
	ribbon_buildstate_check_same(&state->params, &other->params);

	ribbon_buildstate_add(state, space, other->hashes, other->nhashes);
	if (other->store != NULL)
	{
		if (state->store == NULL)
			ribbon_buildstate_open_store(state, other->store->spill);
		ribbon_keystore_absorb(state->store, other->store);
		other->store = NULL;
	}

	PG_RETURN_POINTER(state);
}

/*
 * ribbon_build_serialfn(state) returns bytea
 *
 * The server calls the information function once in each process that is
 * going to call this one, and in its leader, too, when it prepares a plan with
 * partial aggregation: the right moment to start looking after shared
 * files.  So it is written out here, instead of with PG_FUNCTION_INFO_V1.
 */
extern PGDLLEXPORT Datum ribbon_build_serialfn(PG_FUNCTION_ARGS);
extern PGDLLEXPORT const Pg_finfo_record *pg_finfo_ribbon_build_serialfn(void);

const Pg_finfo_record *
pg_finfo_ribbon_build_serialfn(void)
{
	static const Pg_finfo_record info = {1};

	ribbon_sharedfile_watch();
	return &info;
}

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
	if (!ribbon_spill_is_shared(state->store->spill))
		PG_RETURN_POINTER(serialize_store_whole(state));
	PG_RETURN_POINTER(serialize_store_lists(state));
}

/* ribbon_build_deserialfn(bytea, internal) returns a state */
Datum
ribbon_build_deserialfn(PG_FUNCTION_ARGS)
{
	BuildSpace *space = open_space(fcinfo);
	struct varlena *partial = PG_GETARG_VARLENA_PP(0);
	size_t size = VARSIZE_ANY_EXHDR(partial);
	const char *body = VARDATA_ANY(partial) + sizeof(PartialHeader);
	PartialHeader header;
	RibbonParams params;
	BuildState *state;

	if (size < sizeof(header))
		reject_partial();
	memcpy(&header, VARDATA_ANY(partial), sizeof(header));
	size -= sizeof(header);

	params.kind = (RibbonKind) header.kind;
	params.width = header.width;
	params.key_class = header.key_class;
	copy_words(&params.fpr, &header.fpr, 1);
	header.nhashes = ribbon_little64(header.nhashes);
	header.large = ribbon_little32(header.large);

	if (header.version != PARTIAL_VERSION || header.large > 1 ||
		ribbon_params_check(&params) != RIBBON_OK ||
		!ribbon_keyclass_is_known(params.key_class))
		reject_partial();

	state = ribbon_buildstate_create(CurrentMemoryContext, &params);
	if (header.large)
	{
		Numbers numbers = {palloc(size), size / sizeof(uint32)};

		if (header.nhashes != 0 || size % sizeof(uint32) != 0)
			reject_partial();
		memcpy(numbers.at, body, size);
		deserialize_lists(state, space, &numbers);
	}
	else
	{
		if (size % sizeof(uint64_t) != 0 ||
			header.nhashes != size / sizeof(uint64_t))
			reject_partial();
		state->hashes = palloc(Max(size, 1));
		state->nhashes = state->capacity = header.nhashes;
		copy_words(state->hashes, body, state->nhashes);
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

/* The header, and room for size bytes behind it. */
static struct varlena *
new_partial(const BuildState *state, size_t size)
{
	PartialHeader header = {0};
	struct varlena *partial;

	size += VARHDRSZ + sizeof(header);
	partial = palloc(size);
	SET_VARSIZE(partial, size);

	header.version = PARTIAL_VERSION;
	header.key_class = (uint8) state->params.key_class;
	header.kind = (uint8) state->params.kind;
	header.width = (uint8) state->params.width;
	copy_words(&header.fpr, &state->params.fpr, 1);
	memcpy(VARDATA(partial), &header, sizeof(header));
	return partial;
}

static struct varlena *
serialize_hashes(const BuildState *state, const uint64 *hashes, size_t n)
{
	struct varlena *partial;
	PartialHeader *header;

	if (n > MAX_PARTIAL_HASHES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of ribbon_build exceeds the maximum of 1 GB"),
				 errdetail("It has %zu keys.", n)));

	partial = new_partial(state, n * sizeof(uint64));
	header = (PartialHeader *) VARDATA(partial);
	header->nhashes = ribbon_little64(n);
	copy_words(header + 1, hashes, n);
	return partial;
}

/* For somebody who cannot open our files. */
static struct varlena *
serialize_store_whole(BuildState *state)
{
	size_t n = ribbon_keystore_seal(state->store);
	uint64 *hashes = MemoryContextAllocHuge(CurrentMemoryContext,
											Max(n, 1) * sizeof(uint64));
	struct varlena *partial;

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
	size_t nnumbers = 2 + (size_t) nfiles * NAME_NUMBERS + nlists;
	struct varlena *partial;
	Numbers numbers;

	for (uint32 i = 0; i < nlists; i++)
		nnumbers += (size_t) lists[i].nblocks * BLOCK_NUMBERS;

	partial = new_partial(state, nnumbers * sizeof(uint32));
	((PartialHeader *) VARDATA(partial))->large = ribbon_little32(1);
	numbers.at = (uint32 *) (VARDATA(partial) + sizeof(PartialHeader));
	numbers.left = nnumbers;

	put_number(&numbers, nfiles);
	put_number(&numbers, nlists);
	for (uint32 i = 0; i < nfiles; i++)
		put_name(&numbers, ribbon_spill_give(store->spill, i));
	for (uint32 i = 0; i < nlists; i++)
		put_list(&numbers, &lists[i]);

	store->given = true;
	return partial;
}

static void
put_number(Numbers *numbers, uint32 number)
{
	Assert(numbers->left > 0);
	*numbers->at++ = ribbon_little32(number);
	numbers->left--;
}

static void
put_name(Numbers *numbers, const RibbonFileName *name)
{
	put_number(numbers, name->pid);
	put_number(numbers, name->number);
	put_number(numbers, name->ntablespaces);
	for (int i = 0; i < RIBBON_MAX_TABLESPACES; i++)
		put_number(numbers, name->tablespaces[i]);
}

static void
put_list(Numbers *numbers, const RibbonBlockList *list)
{
	put_number(numbers, list->nblocks);
	for (uint32 i = 0; i < list->nblocks; i++)
	{
		put_number(numbers, list->blocks[i].file);
		put_number(numbers, list->blocks[i].number);
		put_number(numbers, list->blocks[i].nwords);
	}
}

/* The reverse: open these files, and take over the blocks. */
static void
deserialize_lists(BuildState *state, BuildSpace *space, Numbers *numbers)
{
	uint32 nfiles = get_number(numbers);
	uint32 nlists = get_number(numbers);
	uint32 *files;
	RibbonKeyStore *store;

	if (nfiles > numbers->left / NAME_NUMBERS ||
		(nlists != 1 && nlists != RIBBON_KEYSTORE_PARTS))
		reject_partial();

	if (space->spill == NULL)
		space->spill = ribbon_spill_create(space->context, space->gives);
	ribbon_buildstate_open_store(state, space->spill);
	store = state->store;
	store->given = true;

	files = palloc(Max(nfiles, 1) * sizeof(uint32));
	for (uint32 i = 0; i < nfiles; i++)
	{
		RibbonFileName name;

		get_name(numbers, &name);
		files[i] = ribbon_spill_adopt(space->spill, &name);
	}

	if (nlists == 1)
		get_list(numbers, store, &store->whole, files, nfiles);
	else
	{
		store->parts = palloc0(RIBBON_KEYSTORE_PARTS * sizeof(RibbonBlockList));
		for (uint32 i = 0; i < nlists; i++)
			get_list(numbers, store, &store->parts[i], files, nfiles);
	}
	if (numbers->left != 0)
		reject_partial();
}

static uint32
get_number(Numbers *numbers)
{
	if (numbers->left == 0)
		reject_partial();
	numbers->left--;
	return ribbon_little32(*numbers->at++);
}

static void
get_name(Numbers *numbers, RibbonFileName *name)
{
	name->pid = get_number(numbers);
	name->number = get_number(numbers);
	name->ntablespaces = get_number(numbers);
	if (name->ntablespaces < 1 || name->ntablespaces > RIBBON_MAX_TABLESPACES)
		reject_partial();
	for (int i = 0; i < RIBBON_MAX_TABLESPACES; i++)
		name->tablespaces[i] = get_number(numbers);
}

static void
get_list(Numbers *numbers, RibbonKeyStore *store, RibbonBlockList *list,
		 const uint32 *files, uint32 nfiles)
{
	uint32 nblocks = get_number(numbers);

	if (nblocks > numbers->left / BLOCK_NUMBERS)
		reject_partial();
	for (uint32 i = 0; i < nblocks; i++)
	{
		RibbonBlock block = {0};
		uint32 file = get_number(numbers);

		block.number = get_number(numbers);
		block.nwords = get_number(numbers);
		if (file >= nfiles || block.nwords < 1 ||
			block.nwords > RIBBON_BLOCK_WORDS)
			reject_partial();
		block.file = files[file];
		ribbon_blocklist_take(store, list, &block);
	}
}

/* Copy 64-bit words into or out of their little-endian form. */
static void
copy_words(void *to, const void *from, size_t n)
{
#ifdef WORDS_BIGENDIAN
	for (size_t i = 0; i < n; i++)
	{
		uint64 word;

		memcpy(&word, (const char *) from + i * sizeof(word), sizeof(word));
		word = pg_bswap64(word);
		memcpy((char *) to + i * sizeof(word), &word, sizeof(word));
	}
#else
	if (n > 0)
		memcpy(to, from, n * sizeof(uint64));
#endif
}

static void
reject_partial(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of ribbon_build")));
	pg_unreachable();
}
