/*
 * memo.h - what a call site remembers, so that it makes few texts and reads few
 *
 * A MEMO is the text that was made of a value, while a map is built, or the
 * value that was made of a text, when maps are asked.  The former are found by
 * the bytes of the value, the latter by the text's code.
 */
#ifndef RIBBON_MEMO_H
#define RIBBON_MEMO_H

#include "ribbon_pg.h"

/* The bytes of a value or text, without its length word or terminating zero. */
typedef struct RibbonValueBytes
{
	const char *bytes;
	size_t nbytes;
} RibbonValueBytes;

static inline bool
ribbon_value_bytes_equal(RibbonValueBytes a, RibbonValueBytes b)
{
	return a.nbytes == b.nbytes && memcmp(a.bytes, b.bytes, a.nbytes) == 0;
}

typedef struct RibbonMemo
{
	RibbonValueBytes from;
	RibbonValueBytes made; /* aligned as a value */
	/* of a value of a map that is built (buildvalues.c): */
	uint64 word;  /* of the text, in a group */
	uint64 group; /* the id of this group; 0: none yet */
} RibbonMemo;

/* The memos of a call site; all zero, and the parent, at first. */
typedef struct RibbonMemos
{
	MemoryContext parent;
	MemoryContext context;		 /* of all memos, a child; NULL: none yet */
	struct memos_hash *by_value; /* by the bytes of a value */
	RibbonMemo **by_code;		 /* of texts; an element may be NULL */
	uint32 ncodes;				 /* that by_code has room for */
} RibbonMemos;

/* The memo of the value with these bytes, or NULL. */
extern RibbonMemo *ribbon_memo_find_value(const RibbonMemos *memos,
										  RibbonValueBytes value);

/*
 * Remember the text of a value that ribbon_memo_find_value has not found, or
 * the value of the text that has this code.  Both are copied; long ones are not
 * remembered.  If there are too many memos, the others are forgotten.
 */
extern void ribbon_memo_add_value(RibbonMemos *memos, RibbonValueBytes value,
								  RibbonValueBytes text);
extern void ribbon_memo_add_code(RibbonMemos *memos, uint32 code,
								 RibbonValueBytes text, RibbonValueBytes value);

/* The memo of this text, which has this code; or NULL. */
static inline const RibbonMemo *
ribbon_memo_find_code(const RibbonMemos *memos, uint32 code,
					  RibbonValueBytes text)
{
	const RibbonMemo *memo = code < memos->ncodes ? memos->by_code[code] : NULL;

	return memo != NULL && ribbon_value_bytes_equal(memo->from, text) ? memo :
																		NULL;
}

#endif /* RIBBON_MEMO_H */
