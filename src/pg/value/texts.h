/*
 * texts.h - the texts of a group's values, by their words
 */
#ifndef RIBBON_TEXTS_H
#define RIBBON_TEXTS_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"
#include "ribbon.h"

typedef struct RibbonGroupText
{
	uint64 word; /* the hash of the text, under the map's seed */
	uint32 at;	 /* where the text is, in bytes */
	uint32 length;
	uint32 code; /* its place among all, once these are sorted */
	char status; /* the hash table's */
} RibbonGroupText;

/* There may be a million of them, of few texts each. */
typedef struct RibbonTexts
{
	struct texts_hash *table; /* of RibbonGroupText, by word */
	uint32 ntexts;
	uint32 nhead;
	uint64 null_code;	  /* once texts have codes */
	StringInfoData bytes; /* the head of their dictionary, then the texts */
} RibbonTexts;

/* No texts yet, in context, for a dictionary with this head (valuetype.h). */
extern RibbonTexts *ribbon_texts_create(MemoryContext context,
										const uint8 *head, uint32 nhead);

/* Throw unless the values are of the type that has this head. */
extern void ribbon_texts_check_head(const RibbonTexts *texts, const uint8 *head,
									uint32 nhead);

/* Throw: values of one map are of two types. */
pg_noreturn extern void ribbon_texts_report_type(void);

/*
 * Add a text in UTF-8, unless it is there.  Returns its word.  Throws if there
 * are too many texts, or if another text has the same word.
 */
extern uint64 ribbon_texts_add(RibbonTexts *texts, const char *text,
							   size_t length, uint32 seed);

/* The text of this word, or NULL. */
extern const RibbonGroupText *ribbon_texts_find(const RibbonTexts *texts,
												uint64 word);

/*
 * The next text, in any order; NULL at the end.  *at must be 0 at first.
 */
extern const RibbonGroupText *ribbon_texts_next(const RibbonTexts *texts,
												uint32 *at);

/*
 * Sort them, give each its code, and write their dictionary, palloc'd.  Sets
 * bits, code, code_arg, dictionary and ndictionary of what a map stores about
 * its values, by its has_null.  The texts must stay.
 */
extern void ribbon_texts_set_codes(RibbonTexts *texts, RibbonValues *values);

#endif /* RIBBON_TEXTS_H */
