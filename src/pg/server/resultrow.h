/*
 * resultrow.h - a row that SQL is given, by the names of its columns
 *
 * A column that the function does not have is left out, so that a library
 * serves the scripts of earlier versions.
 */
#ifndef RIBBON_RESULTROW_H
#define RIBBON_RESULTROW_H

#include "ribbon_pg.h"

#include "executor/spi.h"

typedef struct RibbonResultRow
{
	TupleDesc columns;
	Datum *values;
	bool *nulls;
} RibbonResultRow;

/* A row of NULLs. */
static inline RibbonResultRow
ribbon_resultrow_create(TupleDesc columns)
{
	size_t n = (size_t) columns->natts;
	RibbonResultRow row = {columns, palloc0(n * sizeof(Datum)), palloc(n)};

	memset(row.nulls, true, n);
	return row;
}

/* Set a column, if the value is known. */
static inline void
ribbon_resultrow_put(RibbonResultRow *row, const char *column, bool known,
					 Datum value)
{
	int at = SPI_fnumber(row->columns, column) - 1;

	if (at < 0 || !known)
		return;
	row->values[at] = value;
	row->nulls[at] = false;
}

#endif /* RIBBON_RESULTROW_H */
