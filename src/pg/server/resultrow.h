/*
 * resultrow.h - a row that SQL is given, by the names of its columns
 *
 * A column that the function does not have is left out, so that a library
 * serves the scripts of earlier versions.
 */
#ifndef RIBBON_RESULTROW_H
#define RIBBON_RESULTROW_H

#include "ribbon_pg.h"

#include "access/tupdesc.h"

typedef struct RibbonResultRow
{
	TupleDesc columns;
	Datum *values;
	bool *nulls;
	int next; /* behind the column that was set last */
} RibbonResultRow;

/* A row of NULLs. */
static inline RibbonResultRow
ribbon_resultrow_create(TupleDesc columns)
{
	size_t n = (size_t) columns->natts;
	Datum *values = palloc0(n * (sizeof(Datum) + sizeof(bool)));

	return (RibbonResultRow){.columns = columns,
							 .values = values,
							 .nulls = memset(values + n, true, n)};
}

/* Set a column, if the value is known.  It takes least to go by their order. */
static inline void
ribbon_resultrow_put(RibbonResultRow *row, const char *column, bool known,
					 Datum value)
{
	int ncolumns = row->columns->natts;

	for (int i = 0; known && i < ncolumns; i++)
	{
		int at = (row->next + i) % ncolumns;

		if (strcmp(NameStr(TupleDescAttr(row->columns, at)->attname), column) !=
			0)
			continue;
		row->values[at] = value;
		row->nulls[at] = false;
		row->next = at + 1;
		return;
	}
}

#endif /* RIBBON_RESULTROW_H */
