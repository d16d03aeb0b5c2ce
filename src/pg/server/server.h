/*
 * server.h - the server as the core sees it
 *
 *	 callbacks.c	memory, interrupts, threads, progress for a call of the core
 *	 error.c		what the core returns, as the server's errors
 *	 detoast.c		large values that are out of line, whole
 *	 digits.c		hexadecimal and base64 digits
 *	 progress.h		how far is a build, and what does it wait for?
 */
#ifndef RIBBON_SERVER_H
#define RIBBON_SERVER_H

#include "ribbon_pg.h"

#include "nodes/nodes.h"
#include "utils/relcache.h"

/*
 * callbacks.c
 */

/* Define ribbon.build_threads. */
extern void ribbon_env_init(void);

/*
 * The environment for a call of the core, which allocates in this context, also
 * what it returns.
 */
extern RibbonEnv ribbon_env_create(MemoryContext context);

/* Its memory alone, for many short calls. */
extern RibbonEnv ribbon_env_memory(MemoryContext context);

/* Enlarge an array to size bytes; old is NULL if there is none yet. */
static inline void *
ribbon_enlarge(MemoryContext context, void *old, Size size)
{
	return old == NULL ? MemoryContextAllocHuge(context, size) :
						 repalloc_huge(old, size);
}

/*
 * error.c
 */

/*
 * Throw the error for this status, which is not RIBBON_OK, about a value of
 * this type.
 */
pg_noreturn extern void ribbon_error_throw(RibbonSqlType type,
										   RibbonStatus status);

/* The same, but RIBBON_OK is no error. */
static inline void
ribbon_error_check(RibbonSqlType type, RibbonStatus status)
{
	if (unlikely(status != RIBBON_OK))
		ribbon_error_throw(type, status);
}

/*
 * Throw unless fpr is a rate that a filter may have; if or_one, it may also be
 * 1, as for a map.
 */
extern void ribbon_error_check_fpr(double fpr, bool or_one);

/*
 * Throw ERRCODE_DATA_CORRUPTED: a stored value of this type is not what was
 * stored.  objection is a phrase without capital and full stop.
 */
pg_noreturn extern void ribbon_error_corrupt(RibbonSqlType type,
											 const char *objection);

/* The same of bytes from outside.  Returns false if escontext has the error. */
extern bool ribbon_error_invalid(RibbonSqlType type, const char *objection,
								 Node *escontext);

/* The most bytes of which the server can hold the text, which is base64. */
#define RIBBON_MAX_TEXT_BYTES ((MaxAllocSize - 3) / 4 * 3)

/* Throw if a value of so many bytes is too large to have a text. */
extern void ribbon_error_check_text(RibbonSqlType type, size_t nbytes);

/*
 * detoast.c
 */

/*
 * As PG_DETOAST_DATUM_PACKED, with checks for interrupts while it reads.  A
 * large value is in huge pages then, if the system has some.
 */
extern struct varlena *ribbon_detoast(struct varlena *value);

/* Argument n, as PG_GETARG_VARLENA_PP. */
#define RIBBON_GETARG_VARLENA_PP(n) \
	ribbon_detoast((struct varlena *) PG_GETARG_POINTER(n))

/* Open the TOAST table of a pointer.  Throws if it is another process's own. */
extern Relation ribbon_toast_open(const varatt_external *pointer);

/*
 * digits.c: faster than the server's functions, and in pieces, so that a query
 * can be cancelled between them
 */

/*
 * Bytes that are gone through between two checks for interrupts, where that
 * takes long; even.
 */
#define RIBBON_PIECE_BYTES (8 * 1024 * 1024)

/* ndigits is even.  False if there is anything but hexadecimal digits. */
extern bool ribbon_hex_decode(const char *digits, size_t ndigits,
							  uint8_t *bytes);

/* The digits of so many bytes. */
#define RIBBON_BASE64_DIGITS(nbytes) (((nbytes) + 2) / 3 * 4)

/* Returns the end of the digits, which are not terminated. */
extern char *ribbon_base64_encode(const uint8_t *bytes, size_t nbytes,
								  char *digits);

/*
 * There must be room for 3 bytes for each 4 digits.  Returns the end of the
 * bytes; NULL if there is anything but the digits that are written for them.
 */
extern uint8_t *ribbon_base64_decode(const char *digits, size_t ndigits,
									 uint8_t *bytes);

#endif /* RIBBON_SERVER_H */
