/*
 * value.h - the values of maps: from SQL to codes, and back
 *
 * A map has a code of a few bits for each key.  values/number.h of the core
 * says what codes stand for: numbers, or texts in a dictionary.
 *
 *	 build	value -> word -> code			ask	  code -> what is found -> value
 *
 * A value's WORD has 64 bits and is the same in every process, so that states
 * of processes can be combined.  It is the value itself, if that is a number,
 * the hash of its text under the map's seed, or RIBBON_NULL_WORD.  When all
 * keys are there, words become codes.
 *
 *	 valuetype.h	the type of a call site's values; what renew means
 *	 valuerefuse.h	types that are refused, and why
 *	 valuetext.h	a value to text, and back
 *	 memo.h			what a call site remembers of values and their texts
 *	 encode.h		a value to its word
 *	 grouptexts.h	the texts of a group: values/texts.h of the core, here
 *	 lookup.h		a code to what it stands for: a number, a text
 *	 decode.h		what is found to a value of the type that is asked for
 */
#ifndef RIBBON_VALUE_H
#define RIBBON_VALUE_H

#include "value/decode.h"
#include "value/encode.h"
#include "value/grouptexts.h"
#include "value/lookup.h"
#include "value/valuetype.h"

#endif /* RIBBON_VALUE_H */
