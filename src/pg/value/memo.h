/*
 * memo.h - what a call site remembers, so that it makes few texts and reads few
 *
 * A MEMO is the text that was made of a value, while a map is built, or the
 * value that was made of a text, when maps are asked.  It is found by a number:
 * a hash of the value, or the code of the text; or its hash, where another text
 * of this code came first.
 */
#ifndef RIBBON_MEMO_H
#define RIBBON_MEMO_H

#include "ribbon_pg.h"

/* The bytes of a value, or of a text without its terminating zero. */
typedef struct RibbonValueBytes
{
	const char *bytes;
	size_t nbytes;
} RibbonValueBytes;

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
	struct memos_hash *table; /* in a child of it, with the memos, or NULL */
} RibbonMemos;

/* A hash of a value or text, which differs from process to process. */
extern uint32 ribbon_memo_number(RibbonValueBytes value);

/* The memo of this value or text, which has this number; or NULL. */
extern RibbonMemo *ribbon_memo_find(const RibbonMemos *memos, uint32 number,
									RibbonValueBytes from);

/* Is there one of this number, whatever it is of? */
extern bool ribbon_memo_is_taken(const RibbonMemos *memos, uint32 number);

/*
 * Remember what was made of a value or text, in place of what has the same
 * number.  Both are copied; long ones are not remembered.  If there are too
 * many memos, the others are forgotten.
 */
extern void ribbon_memo_add(RibbonMemos *memos, uint32 number,
							RibbonValueBytes from, RibbonValueBytes made);

#endif /* RIBBON_MEMO_H */
