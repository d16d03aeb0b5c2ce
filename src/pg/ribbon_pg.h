/*
 * ribbon_pg.h - what every file of the PostgreSQL glue needs
 *
 * The core (src/core, ribbon_core.h) turns 64-bit hashes into the bytes of a
 * filter and probes them where they lie.  The glue lets the server use it.  It
 * has a folder for each part, with one header that says what the part offers;
 * each includes and calls only what is below it:
 *
 *	 module.c			the magic block; has all parts set themselves up
 *	 scan/scan.h		a table's rows, probed a page at a time
 *	 planner/planner.h	rows, cost, statistics of a column
 *	 probing/probing.h	@>, <@, -> and their functions; the way of a probe
 *	 aggregate/aggregate.h	ribbon_build, ribbon_map: states, partial ones
 *	 type/type.h		the types: input, output, statistics, check, shrink
 *	 spill/spill.h		temporary files, for sets of hashes
 *	 value/value.h		the values of maps: from SQL to codes, and back
 *	 key/key.h			a value of any type to a 64-bit hash that lasts
 *	 server/server.h	as the core sees it: memory, interrupts, threads
 *	 compatcalls.h		what servers of several versions have other calls for
 *
 * A ribbonfilter or ribbonmap datum is a varlena header and the bytes of
 * docs/format.md, nothing else.
 *
 * A C function has the name of the SQL function that it implements.  Where SQL
 * has one name for several types, the type is added (ribbon_map_contains);
 * where the core has the name already, it begins with ribbon_pg_.  Functions
 * throw errors (ereport) unless they say that they do not.  Memory that they
 * return is of CurrentMemoryContext unless they say another.
 */
#ifndef RIBBON_PG_H
#define RIBBON_PG_H

#include "compat.h"

#include "ribbon_core.h"

/* The types that are told apart; a ribbonliteral is text to all functions. */
typedef enum RibbonSqlType
{
	RIBBON_SQL_FILTER,
	RIBBON_SQL_MAP,
	RIBBON_SQL_KEY,
	RIBBON_SQL_KEYS
} RibbonSqlType;

/* The head of a function of SQL, which gets fcinfo and returns a Datum. */
#define RIBBON_SQL_ENTRY(name) \
	PG_FUNCTION_INFO_V1(name); \
	Datum name(PG_FUNCTION_ARGS)

/* Define one that returns this Datum, made of fcinfo. */
#define RIBBON_SQL_FUNCTION(name, result) \
	RIBBON_SQL_ENTRY(name) \
	{ \
		return result; \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

/*
 * Define two, for filters and for maps, by one that gets the type: Datum
 * function(FunctionCallInfo, RibbonSqlType).
 */
#define RIBBON_SQL_PAIR(of_filters, of_maps, function) \
	RIBBON_SQL_FUNCTION(of_filters, function(fcinfo, RIBBON_SQL_FILTER)); \
	RIBBON_SQL_FUNCTION(of_maps, function(fcinfo, RIBBON_SQL_MAP))

/* The name of a type in SQL; of filters and maps, the noun in sentences. */
static inline const char *
ribbon_sqltype_name(RibbonSqlType type)
{
	static const char *const names[] = {"ribbonfilter", "ribbonmap",
										"ribbonkey", "ribbonkeys"};

	return names[type];
}

static inline const char *
ribbon_sqltype_noun(RibbonSqlType type)
{
	return type == RIBBON_SQL_MAP ? "map" : "filter";
}

#endif /* RIBBON_PG_H */
