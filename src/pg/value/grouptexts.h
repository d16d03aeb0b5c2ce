/*
 * grouptexts.h - the texts of a group's values: the core's, in the group's
 * memory, and what is thrown
 *
 * values/texts.h of the core says what they are, and finds and lists them.
 */
#ifndef RIBBON_GROUPTEXTS_H
#define RIBBON_GROUPTEXTS_H

#include "ribbon_pg.h"

#include "values/texts.h"

/* No texts yet, in context, for a dictionary with this head (valuetype.h). */
extern RibbonTexts *ribbon_grouptexts_create(MemoryContext context,
											 const uint8 *head, uint32 nhead);

/* Throw unless the values are of the type that has this head. */
extern void ribbon_grouptexts_check_head(const RibbonTexts *texts,
										 const uint8 *head, uint32 nhead);

/* Throw: values of one map are of two types. */
pg_noreturn extern void ribbon_grouptexts_report_type(void);

/*
 * Add a text in UTF-8, unless it is there.  Returns its word.  Throws if there
 * are too many texts, or if another text has the same word.
 */
extern uint64 ribbon_grouptexts_add(RibbonTexts *texts, const char *text,
									size_t length, uint32 seed);

/* ribbon_texts_set_codes, with a dictionary that the caller frees. */
extern void ribbon_grouptexts_set_codes(RibbonTexts *texts,
										RibbonValues *values);

#endif /* RIBBON_GROUPTEXTS_H */
