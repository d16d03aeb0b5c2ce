/*
 * conflict.h - which key has two values, or is a member and is not?
 */
#ifndef RIBBON_COMMAND_CONFLICT_H
#define RIBBON_COMMAND_CONFLICT_H

#include "command/files/reader.h"

/*
 * Say which key has two values, of the first nkept files, which can be read
 * again from what is kept; and end.
 */
extern void die_of_conflict(const Options *options,
							const ribbon_builder *builder, const Kept *kept,
							int nkept) __attribute__((noreturn));

#endif /* RIBBON_COMMAND_CONFLICT_H */
