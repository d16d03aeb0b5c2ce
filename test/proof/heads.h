/*
 * heads.h - contracts of heads (see contracts.h)
 */
#ifndef RIBBON_HEADS_H
#define RIBBON_HEADS_H

#include "contracts.h"
#include "format/head.h"

#include <string.h>

/* memset by which objects begin that are zero in the proofs before. */
void *
zero_again(void *object, int byte, size_t size)
{
	prove(byte == 0 && __CPROVER_w_ok(object, size));
	return object;
}

/* ribbon_key_class_is_valid */
bool
any_answer(int key_class)
{
	(void) key_class;
	return nondet_bool();
}

/* ribbon_codes_read */
void
any_codes(RibbonReader *reader, unsigned entry_bits, RibbonCodes *codes)
{
	move_reader(reader, CODES_HEAD);
	codes->entry_bits = entry_bits;
	codes->front = nondet_bool();
	codes->nlevels = nondet_unsigned();
	codes->ncodes = nondet_unsigned();
	codes->levels[0].length = nondet_unsigned();
	codes->levels[0].first = 0;
	codes->levels[0].entry = codes->front;
	assume(reader->corrupt || codes_contract(codes));
}

/* ribbon_codes_table_bytes, which is asked twice */
static uint64_t table_bytes;

uint64_t
any_table(const RibbonCodes *codes)
{
	(void) codes;
	assume(table_bytes <= CODES_TABLE);
	return table_bytes;
}

/*
 * ribbon_format_read_exact, where nothing is corrupt: what follows for the
 * planes.
 */
#define EXACT_HEAD (9 + 1 + 2 + 4 + 8 + 9)

static inline bool
exact_contract(unsigned flags, const RibbonFilter *filter,
			   const RibbonPlane *plane, const RibbonBodies *bodies)
{
	return !(flags & RIBBON_FLAG_VALUES) && filter->is_exact &&
		filter->universe <= RIBBON_MAX_KEYS &&
		plane->nkeys <= RIBBON_MAX_KEYS && plane->check.bits <= 32 &&
		plane->value_bits <= 1 && plane->check.wide < RIBBON_SHARES &&
		plane->split == plane->check.wide &&
		bodies->first.role == RIBBON_ROLE_OWN_BYTE &&
		bodies->second_keys <= RIBBON_MAX_KEYS && bodies->second_bits <= 1 &&
		(plane->check.bits + plane->check.wide == 0 || plane->value_bits == 0);
}

void
any_exact(RibbonReader *reader, unsigned flags, RibbonFilter *filter,
		  RibbonPlane *plane, RibbonBodies *bodies)
{
	move_reader(reader, EXACT_HEAD);
	filter->is_exact = true;
	filter->universe = nondet_uint64();
	plane->nkeys = nondet_uint64();
	plane->check.bits = nondet_unsigned();
	plane->value_bits = nondet_unsigned();
	plane->check.wide = plane->split = nondet_unsigned();
	bodies->first.role = RIBBON_ROLE_OWN_BYTE;
	bodies->second_keys = nondet_uint64();
	bodies->second_bits = nondet_unsigned();
	assume(reader->corrupt || exact_contract(flags, filter, plane, bodies));
}

/* ribbon_format_decode_head, where it returns RIBBON_OK: of its first plane */
static inline bool
first_contract(const RibbonPlane *plane)
{
	return (plane->width == 32 || plane->width == 64 || plane->width == 128) &&
		(plane->kind == RIBBON_BURR || plane->kind == RIBBON_HOMOGENEOUS) &&
		plane->nkeys <= RIBBON_MAX_KEYS && plane->check.wide < RIBBON_SHARES &&
		plane->split == plane->check.wide && plane->check.bits <= 32 &&
		!(plane->check.bits == 32 && plane->check.wide > 0) &&
		plane->check.bits + plane->value_bits + (plane->check.wide > 0) <=
		RIBBON_MAX_COLUMNS;
}

static inline bool
head_contract(const RibbonFilter *filter, const RibbonPlane *plane,
			  const RibbonBodies *bodies)
{
	return first_contract(plane) && bodies->second_keys <= RIBBON_MAX_KEYS &&
		bodies->second_bits <= RIBBON_MAX_COLUMNS &&
		filter->nkeys <= RIBBON_MAX_KEYS &&
		filter->value_bits <= RIBBON_MAX_VALUE_BITS &&
		(bodies->codes.nlevels == 0 || codes_contract(&bodies->codes));
}

#endif /* RIBBON_HEADS_H */
