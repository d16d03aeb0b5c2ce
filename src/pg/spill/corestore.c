/*
 * corestore.c - a key store as the core sees it
 *
 * The core reads the hashes of a large set from a store (RibbonStore), and puts
 * into others what layers bump.  That comes a few at a time, so it is collected
 * until it is worth scattering.
 *
 * The core counts the records of a map, a key store the words.
 *
 * A store that the core opens lives in a context below the spill's.  The core
 * closes it when it is done.  After an error, which is thrown through the core
 * (env.c), the store goes with the spill, and not later, since it gives its
 * blocks back to it.
 */
#include "spill/spill.h"

#include "utils/memutils.h"

/* 2 MB: words collected before they are scattered. */
#define COLLECTED_WORDS (256 * 1024)

typedef struct CoreStore
{
	RibbonStore store;	   /* first, for the core has its address */
	MemoryContext context; /* of all, if the core has opened it; else NULL */
	RibbonKeyStore *keys;
	uint64 *collected; /* not yet added; NULL in a store to read */
	size_t ncollected;
} CoreStore;

static void
add_collected(CoreStore *core)
{
	ribbon_keystore_add(core->keys, core->collected, core->ncollected);
	core->ncollected = 0;
}

static RibbonStatus
core_add(RibbonStore *store, const uint64_t *words, size_t n)
{
	CoreStore *core = (CoreStore *) store;

	n *= core->keys->records.words;
	while (n > 0)
	{
		size_t now = Min(n, COLLECTED_WORDS - core->ncollected);

		memcpy(core->collected + core->ncollected, words, now * sizeof(uint64));
		core->ncollected += now;
		if (core->ncollected == COLLECTED_WORDS)
			add_collected(core);
		words += now;
		n -= now;
	}
	return RIBBON_OK;
}

static RibbonStatus
core_seal(RibbonStore *store, uint64_t *nrecords)
{
	CoreStore *core = (CoreStore *) store;

	add_collected(core);
	pfree(core->collected);
	core->collected = NULL;
	*nrecords = ribbon_keystore_seal(core->keys) / core->keys->records.words;
	return RIBBON_OK;
}

static RibbonStatus
core_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *words,
		  size_t room, size_t *n)
{
	CoreStore *core = (CoreStore *) store;
	unsigned of_record = core->keys->records.words;

	*n = ribbon_keystore_read(core->keys, first, last, words, room * of_record);
	if (*n < SIZE_MAX)
		*n /= of_record;
	return RIBBON_OK;
}

static void
core_close(RibbonStore *store)
{
	CoreStore *core = (CoreStore *) store;

	if (core->context != NULL)
		MemoryContextDelete(core->context);
}

static CoreStore *
new_store(MemoryContext context, RibbonKeyStore *keys)
{
	CoreStore *core = MemoryContextAllocZero(context, sizeof(CoreStore));

	core->store.add = core_add;
	core->store.seal = core_seal;
	core->store.read = core_read;
	core->store.close = core_close;
	core->keys = keys;
	return core;
}

RibbonStore *
ribbon_corestore_create(RibbonKeyStore *keys)
{
	return &new_store(CurrentMemoryContext, keys)->store;
}

RibbonStore *
ribbon_corestore_open(RibbonSpill *spill, const RibbonRecords *records)
{
	MemoryContext context = AllocSetContextCreate(ribbon_spill_context(spill),
												  "ribbon core store",
												  ALLOCSET_DEFAULT_SIZES);
	CoreStore *core =
		new_store(context, ribbon_keystore_create(context, spill, records));

	core->context = context;
	core->collected = MemoryContextAlloc(context,
										 COLLECTED_WORDS * sizeof(uint64));
	return &core->store;
}
