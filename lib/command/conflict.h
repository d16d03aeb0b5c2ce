/*
 * conflict.h - which key has two values, or is a member and is not?
 */
#ifndef RIBBON_COMMAND_CONFLICT_H
#define RIBBON_COMMAND_CONFLICT_H

#include "reader.h"

/*
 * Say which key of the files, which can be read again from what is kept, has
 * two values; and end.
 */
extern void die_of_conflict(const Options *options,
							const ribbon_builder *builder, const Kept *kept)
	__attribute__((noreturn));

#endif /* RIBBON_COMMAND_CONFLICT_H */
