/*
 * bill.c - what probes of stored values in slices have cost, value by value
 *
 * A query that probes one stored filter ten million times must not read it ten
 * million times, and one that probes ten thousand filters once each should not
 * read any.  Which of the two a query is shows only while it runs.  So the cost
 * of probes in slices is added up, and when it is that of reading the value,
 * the value is read.  Whatever is asked of it later, that costs at most about
 * twice as much as knowing it beforehand would have.
 */
#include "probe/bill.h"

#include "access/heaptoast.h"
#include "common/hashfn.h"
#include "miscadmin.h"

/*
 * The cost of probing in slices, in chunks read as part of a whole value; a
 * little over two microseconds against a quarter of one.
 */
#define OPEN_COST  4
#define PROBE_COST 4

static inline uint32
hash_id(const varatt_external *id)
{
	return murmurhash32(id->va_valueid ^ (id->va_toastrelid << 7));
}

static inline bool
is_same_id(const varatt_external *a, const varatt_external *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

#define SH_PREFIX				bills
#define SH_ELEMENT_TYPE			RibbonBill
#define SH_KEY_TYPE				varatt_external
#define SH_KEY					id
#define SH_HASH_KEY(table, key) hash_id(&(key))
#define SH_EQUAL(table, a, b)	is_same_id(&(a), &(b))
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

static void forget_most(RibbonBills *bills, uint64 now);

void
ribbon_bills_init(RibbonBills *bills, MemoryContext context)
{
	bills->context = context;
	bills->table = bills_create(context, 8, NULL);
}

RibbonBill *
ribbon_bills_get(RibbonBills *bills, const varatt_external *id, uint64 now)
{
	RibbonBill *bill = bills_lookup(bills->table, *id);
	bool found;

	if (bill != NULL)
		return bill;

	if (bills->table->members >=
		Max(get_hash_memory_limit() / 8 / sizeof(RibbonBill), 1000))
		forget_most(bills, now);
	bill = bills_insert(bills->table, *id, &found);
	ribbon_bill_restart(bill, now);
	bill->whole = NULL;
	return bill;
}

/* Forget all but those of values that are kept. */
static void
forget_most(RibbonBills *bills, uint64 now)
{
	bills_hash *old = bills->table;
	bills_iterator iterator;
	const RibbonBill *bill;

	bills->table = bills_create(bills->context, 8, NULL);
	bills_start_iterate(old, &iterator);
	while ((bill = bills_iterate(old, &iterator)) != NULL)
	{
		bool found;
		RibbonBill *copy;

		if (bill->whole == NULL)
			continue;
		copy = bills_insert(bills->table, bill->id, &found);
		ribbon_bill_restart(copy, now);
		copy->whole = bill->whole;
	}
	bills_destroy(old);
}

RibbonBill *
ribbon_bills_find(RibbonBills *bills, const varatt_external *id)
{
	return bills_lookup(bills->table, *id);
}

void
ribbon_bill_restart(RibbonBill *bill, uint64 now)
{
	bill->paid = 0;
	bill->begun = now;
}

/* Of a compressed value there are no slices. */
bool
ribbon_bill_is_paid(RibbonBill *bill, unsigned nprobes)
{
	uint32 nchunks = VARATT_EXTERNAL_GET_EXTSIZE(bill->id) /
		TOAST_MAX_CHUNK_SIZE;

	nchunks = Max(nchunks, 1); /* one probe of a small value is no reason */
	if (VARATT_EXTERNAL_IS_COMPRESSED(bill->id) || bill->paid >= nchunks ||
		PROBE_COST * (uint64) nprobes >= nchunks + PROBE_COST)
		return true;
	bill->paid += OPEN_COST + PROBE_COST * nprobes;
	return false;
}
