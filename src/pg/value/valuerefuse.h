/*
 * valuerefuse.h - types whose values cannot be stored as text
 */
#ifndef RIBBON_VALUEREFUSE_H
#define RIBBON_VALUEREFUSE_H

#include "ribbon_pg.h"

/*
 * Throw 42804 if values with parts of this type are refused: arrays of it, or
 * itself.  stored is the type of the whole, which the error names.
 */
extern void ribbon_valuerefuse_check(Oid type, Oid stored);

/* Throw it, with what is wrong with the type and what to do. */
pg_noreturn extern void ribbon_valuerefuse_throw(Oid type, const char *reason,
												 const char *hint);

#endif /* RIBBON_VALUEREFUSE_H */
