/*
 * compat.h - what differs between PostgreSQL 15 and 18
 *
 * The one home of PG_VERSION_NUM: everything else in src/pg is written as for
 * the newest server, and this header makes the older ones understand it.
 */
#ifndef RIBBON_COMPAT_H
#define RIBBON_COMPAT_H

#include "postgres.h"
#include "fmgr.h"

/*
 * Input functions of PostgreSQL 16 and later report bad input through
 * fcinfo->context when the caller asks for that (COPY ... ON_ERROR,
 * pg_input_is_valid).  Before, every error was thrown.
 */
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#else
#define ereturn(context, dummy_value, ...) \
	do \
	{ \
		(void) (context); \
		ereport(ERROR, __VA_ARGS__); \
		return dummy_value; \
	} while (0)
#endif

/* Before PostgreSQL 18 this was an attribute to write after the declaration. */
#if PG_VERSION_NUM < 180000
#define pg_noreturn pg_attribute_noreturn()
#endif

/* PostgreSQL 18 can show a module's name. */
#if PG_VERSION_NUM >= 180000
#define RIBBON_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "ribbon")
#else
#define RIBBON_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#endif /* RIBBON_COMPAT_H */
