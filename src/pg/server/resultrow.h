/*
 * resultrow.h - a row that SQL is given, by the names of its columns
 *
 * A column that the function does not have is left out, so that a library
 * serves the scripts of earlier versions.
 */
#ifndef RIBBON_RESULTROW_H
#define RIBBON_RESULTROW_H

#include "ribbon_pg.h"

#include "access/htup_details.h"

typedef struct RibbonResultColumn
{
	const char *name;
	bool known; /* else it is NULL */
	Datum value;
} RibbonResultColumn;

/* A row with these columns of n.  It takes least to go by their order. */
static inline HeapTuple
ribbon_resultrow_form(TupleDesc row, const RibbonResultColumn *columns,
					  size_t n)
{
	size_t natts = (size_t) row->natts;
	Datum *values = palloc0(natts * (sizeof(Datum) + sizeof(bool)));
	bool *nulls = memset(values + natts, true, natts);
	size_t next = 0; /* behind the column that was set last */

	for (const RibbonResultColumn *c = columns; c < columns + n; c++)
		for (size_t i = 0; c->known && i < natts; i++)
		{
			size_t at = (next + i) % natts;

			if (strcmp(NameStr(TupleDescAttr(row, at)->attname), c->name) != 0)
				continue;
			values[at] = c->value;
			nulls[at] = false;
			next = at + 1;
			break;
		}
	return heap_form_tuple(row, values, nulls);
}

#endif /* RIBBON_RESULTROW_H */
