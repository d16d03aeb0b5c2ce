/*
 * bill.h - what probes of stored values in slices have cost, value by value
 *
 * For kept.c alone.
 */
#ifndef RIBBON_BILL_H
#define RIBBON_BILL_H

#include "ribbon_pg.h"

#include "access/detoast.h"

/* What is known of a stored value. */
typedef struct RibbonBill
{
	varatt_external id;
	char status;			 /* simplehash.h */
	uint32 paid;			 /* for probes in slices, in chunks */
	uint64 begun;			 /* when that was 0; of kept.c's clock */
	struct KeptValue *whole; /* kept.c's; NULL: not in memory */
} RibbonBill;

/* Of all values that have been probed in a transaction. */
typedef struct RibbonBills
{
	MemoryContext context;
	struct bills_hash *table;
} RibbonBills;

/* None at first. */
extern void ribbon_bills_init(RibbonBills *bills, MemoryContext context);

/*
 * That of a value, made now if there is none.  It may move, or go unless whole
 * is set, with the next call.
 */
extern RibbonBill *ribbon_bills_get(RibbonBills *bills,
									const varatt_external *id, uint64 now);

/* That of a value that there is one of. */
extern RibbonBill *ribbon_bills_find(RibbonBills *bills,
									 const varatt_external *id);

/* Begin to count anew. */
extern void ribbon_bill_restart(RibbonBill *bill, uint64 now);

/*
 * Has as much been paid as reading the whole value costs, or is it about to be?
 * If not, probing so many keys in slices is added to the bill.
 */
extern bool ribbon_bill_is_paid(RibbonBill *bill, unsigned nprobes);

#endif /* RIBBON_BILL_H */
