/*
 * hashes.h - keys that are hashes, in hexadecimal digits: --format sha1
 */
#ifndef RIBBON_COMMAND_HASHES_H
#define RIBBON_COMMAND_HASHES_H

#include "column.h"

/*
 * The bytes that the digits of a field are, with the range's in front.  Their
 * number is *ndigits, which all hashes have; 0: this is the first one.
 */
extern ribbon_key hash_key(const Reader *reader, const Record *record,
						   const Field *field, size_t *ndigits);

/* The fewest digits that hash_warn says something of: NTLM's in a range. */
#define LEAST_HASH (32 - PREFIX_DIGITS)

/* What follows a hash, where nothing else reads it: a count, or a boolean. */
extern void hash_check_count(Reader *reader, const Record *record);

/*
 * Does it look like a hash, but is read as a bytea or text?  A line of nothing
 * but the digits of one is hardly a bytea, whose digits have \x in front; and
 * with a count behind them it is hardly a text either.  Says so.
 */
extern bool hash_warn(const Reader *reader, const Record *record, int key_type,
					  const Field *field);

#endif /* RIBBON_COMMAND_HASHES_H */
