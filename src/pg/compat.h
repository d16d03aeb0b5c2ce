/*
 * compat.h - names of the newest server, PostgreSQL 19, for the older ones
 *
 * For every file: ereturn, pg_noreturn, OID8OID; and the module's magic block.
 * What servers call by another name, or with other arguments, is a function of
 * our own in compatcalls.h.  These two files are the home of PG_VERSION_NUM.
 */
#ifndef RIBBON_COMPAT_H
#define RIBBON_COMPAT_H

#include "postgres.h"
#include "fmgr.h"

#if PG_VERSION_NUM < 150000
#error "ribbon needs PostgreSQL 15 or later"
#endif

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

/* PostgreSQL 19 has a type oid8, of 64 bits.  Before, no type has its OID. */
#if PG_VERSION_NUM < 190000
#define OID8OID 6437
#endif

/*
 * PostgreSQL 18 can show a module's name and version.  The Makefile takes the
 * latter from META.json.
 */
#if PG_VERSION_NUM >= 180000
#define RIBBON_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "ribbon", .version = RIBBON_VERSION)
#else
#define RIBBON_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#endif /* RIBBON_COMPAT_H */
