/*
 * corestore.c - a key store as the core sees it
 *
 * The core reads the hashes of a large set from a store (RibbonStore), and puts
 * into others what layers bump.  That comes a few at a time, so it is collected
 * until it is worth scattering.
 *
 * A store that the core opens lives in a context below the spill's.  The core
 * closes it when it is done.  After an error, which is thrown through the core
 * (env.c), the store goes with the spill, and not later, since it gives its
 * blocks back to it.
 */
#include "spill/spill.h"

#include "utils/memutils.h"

/* 2 MB: hashes collected before they are scattered. */
#define COLLECTED_HASHES (256 * 1024)

typedef struct CoreStore
{
	RibbonStore store;	   /* first, for the core has its address */
	MemoryContext context; /* of all, if the core has opened it; else NULL */
	RibbonKeyStore *keys;
	uint64 *collected; /* not yet added; NULL in a store to read */
	size_t ncollected;
} CoreStore;

static RibbonStatus core_add(RibbonStore *store, const uint64_t *hashes,
							 size_t n);
static RibbonStatus core_seal(RibbonStore *store, uint64_t *nhashes);
static RibbonStatus core_read(RibbonStore *store, uint64_t first, uint64_t last,
							  uint64_t *hashes, size_t room, size_t *n);
static void core_close(RibbonStore *store);
static CoreStore *new_store(MemoryContext context, RibbonKeyStore *keys);
static void add_collected(CoreStore *core);

RibbonStore *
ribbon_corestore_create(RibbonKeyStore *keys)
{
	return &new_store(CurrentMemoryContext, keys)->store;
}

RibbonStore *
ribbon_corestore_open(RibbonSpill *spill)
{
	MemoryContext context = AllocSetContextCreate(ribbon_spill_context(spill),
												  "ribbon core store",
												  ALLOCSET_DEFAULT_SIZES);
	CoreStore *core = new_store(context,
								ribbon_keystore_create(context, spill));

	core->context = context;
	core->collected = MemoryContextAlloc(context,
										 COLLECTED_HASHES * sizeof(uint64));
	return &core->store;
}

static RibbonStatus
core_add(RibbonStore *store, const uint64_t *hashes, size_t n)
{
	CoreStore *core = (CoreStore *) store;

	while (n > 0)
	{
		size_t now = Min(n, COLLECTED_HASHES - core->ncollected);

		memcpy(core->collected + core->ncollected, hashes,
			   now * sizeof(uint64));
		core->ncollected += now;
		if (core->ncollected == COLLECTED_HASHES)
			add_collected(core);
		hashes += now;
		n -= now;
	}
	return RIBBON_OK;
}

static RibbonStatus
core_seal(RibbonStore *store, uint64_t *nhashes)
{
	CoreStore *core = (CoreStore *) store;

	add_collected(core);
	pfree(core->collected);
	core->collected = NULL;
	*nhashes = ribbon_keystore_seal(core->keys);
	return RIBBON_OK;
}

static RibbonStatus
core_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *hashes,
		  size_t room, size_t *n)
{
	CoreStore *core = (CoreStore *) store;

	*n = ribbon_keystore_read(core->keys, first, last, hashes, room);
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

static void
add_collected(CoreStore *core)
{
	ribbon_keystore_add(core->keys, core->collected, core->ncollected);
	core->ncollected = 0;
}
