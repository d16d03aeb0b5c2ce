/*
 * exact_head.c - the head of an exact set: encode, decode, validate
 */
#include "format/exact_head.h"

#include "values/civil.h"

#define EXACT_SEED	   0x01
#define EXACT_AS_OF	   0x02
#define EXACT_INVERTED 0x04
#define EXACT_BITS	   3 /* from this one on: columns of plane 0, less one */

bool
ribbon_is_as_of(int64_t time)
{
	return ribbon_civil_is_timestamp(time);
}

size_t
ribbon_format_encode_exact(const RibbonExactHead *head, uint8_t *out)
{
	uint8_t *start = out;
	bool checked = head->result_bits > 0 || head->nmembers == 0;
	bool filter = checked && head->nmembers > 0; /* is plane 0 one? */

	*out++ = RIBBON_PLAIN_BYTE0;
	*out++ = (uint8_t) (ribbon_key_class_of(head->key_class) |
						RIBBON_BYTE1_FLAGS);
	*out++ = (uint8_t) (RIBBON_FLAG_EXACT |
						(checked ? 0 : RIBBON_FLAG_UNCHECKED));
	out = ribbon_write_varint(out, head->nmembers);
	out = ribbon_head_write_parts(head->key_class, head->nmembers, out);
	out = ribbon_write_varint(out, head->nothers);
	*out++ = (uint8_t) ((head->seed != 0 ? EXACT_SEED : 0) |
						(head->has_as_of ? EXACT_AS_OF : 0) |
						(head->inverted ? EXACT_INVERTED : 0) |
						(filter ? head->result_bits - 1 : 0) << EXACT_BITS);
	if (head->seed != 0)
	{
		ribbon_store32(out, head->seed);
		out += 4;
	}
	if (head->has_as_of)
	{
		ribbon_store64(out, (uint64_t) head->as_of);
		out += 8;
	}
	if (filter)
	{
		uint64_t others = head->inverted ? head->nmembers : head->nothers;

		out = ribbon_write_varint(out,
								  ribbon_fold(head->npassed -
											  (others >> head->result_bits)));
	}
	return (size_t) (out - start);
}

/*
 * Is this an exact head, whose parts are valid each, that no writer makes?  A
 * set without members is checked, and a set of all keys of its universe is
 * unchecked.  Both have no body, and no seed, since no key is looked up.
 */
static bool
contradicts_itself(const RibbonFilter *filter, uint64_t nmembers,
				   unsigned flags, unsigned more_bits)
{
	uint64_t nothers = filter->universe - nmembers;
	bool checked = !(flags & RIBBON_FLAG_UNCHECKED);
	bool looked_up = nmembers > 0 && nothers > 0;

	if (flags & (RIBBON_FLAG_SHRUNK | RIBBON_FLAG_SALTED | RIBBON_FLAG_VALUES))
		return true;
	if (nmembers == 0 && !checked)
		return true;
	if (nmembers > 0 && nothers == 0 && checked)
		return true;
	if (more_bits > 0 && !(checked && nmembers > 0))
		return true;
	if (filter->is_inverted && !(checked && looked_up))
		return true;
	return filter->seed != 0 && !looked_up;
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
	unsigned more_bits = byte >> EXACT_BITS;

	filter->is_exact = true;
	filter->universe = nmembers + nothers;
	filter->has_as_of = byte & EXACT_AS_OF;
	filter->is_inverted = byte & EXACT_INVERTED;
	if (byte & EXACT_SEED)
	{
		filter->seed = ribbon_read32(reader);
		if (filter->seed == 0)
			reader->corrupt = true;
	}
	if (byte & EXACT_AS_OF)
	{
		filter->as_of = (int64_t) ribbon_read64(reader);
		if (!ribbon_is_as_of(filter->as_of))
			reader->corrupt = true;
	}
	plane->result_bits = checked ? 1 + more_bits : 0;
	if (contradicts_itself(filter, nmembers, flags, more_bits))
		reader->corrupt = true;
	bodies->first.own_byte = true;
	if (!checked && nothers > 0)
	{
		plane->nkeys = filter->universe;
		plane->value_bits = 1;
	}
	if (checked && nmembers > 0)
	{
		uint64_t nrare = filter->is_inverted ? nothers : nmembers;
		uint64_t nmost = filter->universe - nrare;
		uint64_t npassed = (nmost >> plane->result_bits) +
			ribbon_unfold(ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS));

		if (npassed > nmost)
			reader->corrupt = true;
		plane->nkeys = nrare;
		if (npassed > 0)
			bodies->second_keys = nrare + npassed;
		bodies->second_bits = 1;
	}
}
