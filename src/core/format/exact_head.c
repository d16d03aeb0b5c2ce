/*
 * exact_head.c - the head of an exact set: encode, decode, validate
 */
#include "format/head.h"

#include "values/civil.h"

#define EXACT_SEED	   0x01
#define EXACT_AS_OF	   0x02
#define EXACT_INVERTED 0x04
#define EXACT_COLUMN   0x04 /* of a rated set, which is never inverted */
#define EXACT_BITS	   3	/* and up: result bits, less one; 31 with wide: 0 */

size_t
ribbon_format_encode_exact(const RibbonExactHead *head, uint8_t *out)
{
	uint8_t *start = out;
	bool rated = head->rated && head->nmembers > 0;
	bool checked = ribbon_has_check(head->check) || head->nmembers == 0;
	bool filter = checked && head->nmembers > 0; /* is plane 0 one? */
	bool wide = rated && head->check.wide > 0;
	uint64_t others = head->inverted ? head->nmembers : head->nothers;

	*out++ = RIBBON_PLAIN_BYTE0;
	*out++ = (uint8_t) (ribbon_key_class_proper(head->key_class) |
						RIBBON_BYTE1_FLAGS);
	*out++ = (uint8_t) (RIBBON_FLAG_EXACT | (rated ? RIBBON_FLAG_RATED : 0) |
						(checked ? 0 : RIBBON_FLAG_UNCHECKED) |
						(wide ? RIBBON_FLAG_WIDE : 0));
	out = ribbon_write_varint(out, head->nmembers);
	out = ribbon_head_write_parts(head->key_class, head->nmembers, out);
	out = ribbon_write_varint(out, head->nothers);
	*out++ = (uint8_t) ((head->seed != 0 ? EXACT_SEED : 0) |
						(head->has_as_of ? EXACT_AS_OF : 0) |
						(head->inverted ? EXACT_INVERTED : 0) |
						(rated && head->column ? EXACT_COLUMN : 0) |
						(filter ? (head->check.bits - 1) & 31 : 0)
							<< EXACT_BITS);
	if (wide)
		out = ribbon_write_fixed(out, head->check.wide, 2);
	if (head->seed != 0)
		out = ribbon_write_fixed(out, head->seed, 4);
	if (head->has_as_of)
		out = ribbon_write_fixed(out, (uint64_t) head->as_of, 8);
	/* how many keys pass the filter, as a difference to what is expected */
	if (filter && (!rated || head->column))
		out = ribbon_write_varint(out,
								  ribbon_fold(head->npassed -
											  (others >> head->check.bits)));
	return (size_t) (out - start);
}

/*
 * Is this an exact head, whose parts are valid each, that no writer makes?  A
 * set without members is checked, and a set of all keys of its universe is
 * unchecked, unless rated.  Neither has a body, nor a seed, since no key is
 * looked up.
 */
static bool
exact_contradicts_itself(const RibbonFilter *filter, uint64_t nmembers,
						 unsigned flags, unsigned byte)
{
	bool others = filter->universe > nmembers;
	bool checked = !(flags & RIBBON_FLAG_UNCHECKED);
	bool rated = filter->has_rate;
	unsigned said = byte & ~(unsigned) (EXACT_SEED | EXACT_AS_OF);

	if (flags & (RIBBON_FLAG_SALTED | RIBBON_FLAG_VALUES) ||
		(flags & RIBBON_FLAG_WIDE && (!rated || !checked)))
		return true;
	if (nmembers == 0)
		return !checked || rated || filter->seed != 0 || said != 0;
	if (!others && rated)
		return !checked || byte & EXACT_COLUMN;
	if (!others)
		return checked || filter->seed != 0 || said != 0;
	return !checked && said != 0;
}

/* What follows from the keys of both sides for the planes. */
static void
set_planes(RibbonReader *reader, RibbonFilter *filter, bool checked,
		   bool column, RibbonPlane *plane, RibbonBodies *bodies)
{
	uint64_t nmembers = plane->nkeys;
	uint64_t nothers = filter->universe - nmembers;
	uint64_t nrare = filter->is_inverted ? nothers : nmembers;
	uint64_t nmost = filter->universe - nrare;

	bodies->first.role = RIBBON_ROLE_OWN_BYTE;
	if (!checked && nothers > 0)
	{
		plane->nkeys = filter->universe;
		plane->value_bits = 1;
	}
	if (checked && nmembers > 0)
		plane->nkeys = nrare;
	if (checked && nmembers > 0 && (!filter->has_rate || column))
	{
		uint64_t npassed = (nmost >> plane->check.bits) +
			ribbon_unfold(ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS));

		reader->corrupt |= npassed > nmost;
		if (npassed > 0 || column)
			bodies->second_keys = nrare + npassed;
		bodies->second_bits = 1;
	}
}

void
ribbon_format_read_exact(RibbonReader *reader, unsigned flags,
						 RibbonFilter *filter, RibbonPlane *plane,
						 RibbonBodies *bodies)
{
	uint64_t nmembers = plane->nkeys;
	uint64_t nothers = ribbon_read_varint(reader, RIBBON_MAX_KEYS - nmembers);
	unsigned byte = ribbon_read_byte(reader);
	bool checked = !(flags & RIBBON_FLAG_UNCHECKED);

	filter->is_exact = true;
	filter->has_rate = flags & RIBBON_FLAG_RATED;
	filter->universe = nmembers + nothers;
	filter->has_as_of = byte & EXACT_AS_OF;
	filter->is_inverted = !filter->has_rate && byte & EXACT_INVERTED;
	plane->check.bits = checked ? 1 + (byte >> EXACT_BITS) : 0;
	if (flags & RIBBON_FLAG_WIDE)
	{
		ribbon_plane_set_wide(plane, (unsigned) ribbon_read_fixed(reader, 2));
		plane->check.bits %= 32;
		reader->corrupt |= plane->check.wide == 0 ||
			plane->check.wide >= RIBBON_SHARES;
	}
	if (byte & EXACT_SEED)
	{
		filter->seed = (uint32_t) ribbon_read_fixed(reader, 4);
		reader->corrupt |= filter->seed == 0;
	}
	if (byte & EXACT_AS_OF)
	{
		filter->as_of = (int64_t) ribbon_read_fixed(reader, 8);
		reader->corrupt |= !ribbon_civil_is_timestamp(filter->as_of);
	}
	reader->corrupt |= exact_contradicts_itself(filter, nmembers, flags, byte);
	set_planes(reader, filter, checked, filter->has_rate && byte & EXACT_COLUMN,
			   plane, bodies);
}
