/*
 * head.c - the head of a filter or map: encode, decode, validate
 *
 * The head says what all is: kind, keys, check bits, values, codes.  What the
 * planes are made of is said by their own headers (body.c).
 */
#include "format/head.h"

#define VALUES_SEED		  0x40
#define VALUES_DICTIONARY 0x80
#define VALUES_NULL		  0x80

#define EXTRA_MUST_BE_KNOWN 0x01

/*
 * Two bytes and flags; check bits, keys, their parts; of values two, base or
 * dictionary, seed; codes; how many extra bytes follow.
 */
_Static_assert(3 + 2 + 7 + 2 + 2 + 10 + 4 + RIBBON_MAX_CODES_HEAD + 1 + 9 <=
				   RIBBON_MAX_HEAD,
			   "there is room for each head");

static uint8_t *
write_values(const RibbonValues *values, uint8_t *out)
{
	bool dictionary = values->dictionary != NULL;

	*out++ = (uint8_t) (values->value_class |
						(values->seed != 0 ? VALUES_SEED : 0) |
						(dictionary ? VALUES_DICTIONARY : 0));
	*out++ = (uint8_t) (values->bits | (values->has_null ? VALUES_NULL : 0));
	if (!dictionary)
		out = ribbon_write_varint(out, ribbon_fold((uint64_t) values->base));
	if (values->seed != 0)
		out = ribbon_write_fixed(out, values->seed, 4);
	if (dictionary)
		out = ribbon_write_varint(out, values->ndictionary);
	return out;
}

size_t
ribbon_format_encode_head(const RibbonPlane *plane, int key_class,
						  const RibbonValues *values, const RibbonCodes *codes,
						  uint8_t *out)
{
	uint8_t *start = out;
	bool unchecked = plane->check.bits == 0;
	unsigned flags = (ribbon_head_is_shrunk(plane) ? RIBBON_FLAG_SHRUNK : 0) |
		(plane->salted ? RIBBON_FLAG_SALTED : 0) |
		(values != NULL ? RIBBON_FLAG_VALUES : 0) |
		(unchecked ? RIBBON_FLAG_UNCHECKED : 0) |
		(codes != NULL ? RIBBON_FLAG_CODED : 0);

	*out++ = (uint8_t) (RIBBON_FORMAT_VERSION |
						ribbon_width_index(plane->width) << 4 |
						(plane->kind == RIBBON_HOMOGENEOUS ?
							 RIBBON_BYTE0_HOMOGENEOUS :
							 0) |
						(plane->nlayers > 0 ? RIBBON_BYTE0_LAYERED : 0));
	*out++ = (uint8_t) (ribbon_key_class_proper(key_class) |
						(flags != 0 ? RIBBON_BYTE1_FLAGS : 0));
	if (flags != 0)
		*out++ = (uint8_t) flags;
	if (!unchecked)
		out = ribbon_write_fixed(out,
								 plane->check.wide |
									 (plane->check.bits - 1)
										 << RIBBON_SHARE_BITS,
								 2);
	out = ribbon_write_varint(out, plane->nkeys);
	out = ribbon_head_write_parts(key_class, plane->nkeys, out);
	if (values != NULL)
		out = write_values(values, out);
	if (codes != NULL)
		out = ribbon_codes_write(codes, out);
	return (size_t) (out - start);
}

static void
read_values(RibbonReader *reader, RibbonFilter *filter)
{
	unsigned first = ribbon_read_byte(reader);
	unsigned second = ribbon_read_byte(reader);

	filter->has_values = true;
	filter->value_class = first & RIBBON_MAX_VALUE_CLASS;
	filter->value_bits = second & ~VALUES_NULL;
	filter->has_null = second & VALUES_NULL;
	reader->corrupt |= filter->value_bits > RIBBON_MAX_VALUE_BITS;
	if (!(first & VALUES_DICTIONARY))
		filter->base = (int64_t) ribbon_unfold(ribbon_read_varint(reader,
																  UINT64_MAX));
	if (first & VALUES_SEED)
	{
		filter->seed = (uint32_t) ribbon_read_fixed(reader, 4);
		reader->corrupt |= filter->seed == 0;
	}
	if (first & VALUES_DICTIONARY)
	{
		filter->ndictionary = ribbon_read_varint(reader, INT64_MAX);
		reader->corrupt |= filter->ndictionary == 0;
	}
}

/* Key class and the bits behind it, which only keys of several parts have. */
static void
read_key_class(RibbonReader *reader, unsigned key_class, RibbonFilter *filter)
{
	filter->key_class = (int) key_class;
	if (filter->nkeys == 0 || !ribbon_key_class_has_parts(filter->key_class))
		return;
	filter->key_class |= (int) ribbon_read_fixed(reader, 2)
		<< RIBBON_CLASS_BITS;
	reader->corrupt |= !ribbon_key_class_is_valid(filter->key_class);
}

/*
 * The shortest of some codes is no longer than if all had one length.  So next
 * to any check bits there are columns for level 0.
 */
_Static_assert(RIBBON_MAX_CODES <= 1
					   << (RIBBON_MAX_COLUMNS - RIBBON_MAX_RESULT_BITS - 1),
			   "plane 0 has columns for check bits, level 0 and one more");

/* Divide a map's value bits between its planes. */
static void
share_value_bits(const RibbonFilter *filter, RibbonPlane *plane,
				 RibbonBodies *bodies)
{
	if (bodies->codes.nlevels > 0)
		plane->value_bits = ribbon_codes_level_bits(&bodies->codes, 0);
	else if (filter->has_values)
	{
		plane->value_bits = ribbon_format_value_bits(filter->value_bits,
													 plane->check);
		bodies->second_bits = filter->value_bits - plane->value_bits;
		if (bodies->second_bits > 0)
			bodies->second_keys = plane->nkeys;
	}
}

/* Is a head, whose parts are valid each, one that no writer makes? */
static bool
head_contradicts_itself(const RibbonFilter *filter, const RibbonPlane *plane,
						const RibbonBodies *bodies, unsigned byte0,
						unsigned flags)
{
	bool plain = byte0 == RIBBON_PLAIN_BYTE0;

	if (plane->width > 128 ||
		(plane->check.bits == 32 && plane->check.wide > 0))
		return true;
	if (!filter->is_exact &&
		(flags & RIBBON_FLAG_RATED ||
		 (flags & RIBBON_FLAG_UNCHECKED && !filter->has_values)))
		return true;
	if (filter->is_exact && !plain)
		return true;
	if (plane->kind == RIBBON_HOMOGENEOUS &&
		(bodies->first.shrunk || bodies->first.layered || filter->has_values))
		return true;
	if (bodies->first.shrunk && filter->has_values)
		return true;
	/* what has no body has one form */
	return ribbon_plane_is_bare(plane) &&
		(!plain || plane->check.bits > 1 || plane->check.wide > 0 ||
		 bodies->first.shrunk || bodies->first.salted);
}

/*
 * Read all of the head behind byte 0.  Returns false if it is of a version that
 * is not known.  *nextra is the number of bytes that are to be skipped.
 */
static bool
read_head(RibbonReader *reader, unsigned byte0, RibbonFilter *filter,
		  RibbonPlane *plane, RibbonBodies *bodies, uint64_t *nextra)
{
	unsigned byte1 = ribbon_read_byte(reader);
	unsigned flags = byte1 & RIBBON_BYTE1_FLAGS ? ribbon_read_byte(reader) : 0;
	unsigned key_class = byte1 & ~(unsigned) RIBBON_BYTE1_FLAGS;
	bool checked = !(flags & (RIBBON_FLAG_EXACT | RIBBON_FLAG_UNCHECKED));
	unsigned check = (unsigned) ribbon_read_fixed(reader, checked ? 2 : 0);
	bool known = key_class < RIBBON_CLASSES;

	plane->kind = byte0 & RIBBON_BYTE0_HOMOGENEOUS ? RIBBON_HOMOGENEOUS :
													 RIBBON_BURR;
	plane->width = 32u << (byte0 >> 4 & 3);
	ribbon_plane_set_wide(plane, check & (RIBBON_SHARES - 1));
	plane->check.bits = checked ? (check >> RIBBON_SHARE_BITS) + 1 : 0;
	plane->nkeys = ribbon_read_varint(reader, RIBBON_MAX_KEYS);
	bodies->first.layered = byte0 & RIBBON_BYTE0_LAYERED;
	bodies->first.shrunk = flags & RIBBON_FLAG_SHRUNK;
	bodies->first.salted = flags & RIBBON_FLAG_SALTED;
	filter->nkeys = plane->nkeys;
	read_key_class(reader, key_class, filter);
	if (flags & RIBBON_FLAG_VALUES)
		read_values(reader, filter);
	if (flags & RIBBON_FLAG_CODED)
	{
		ribbon_codes_read(reader, filter->value_bits, &bodies->codes);
		reader->corrupt |= plane->nkeys == 0;
	}
	if (flags & RIBBON_FLAG_EXACT)
		ribbon_format_read_exact(reader, flags, filter, plane, bodies);
	*nextra = 0;
	if (flags & RIBBON_FLAG_EXTRA)
	{
		if (ribbon_read_byte(reader) & EXTRA_MUST_BE_KNOWN)
			known = false;
		*nextra = ribbon_read_varint(reader, INT64_MAX);
	}
	if (reader->corrupt)
		return known;
	share_value_bits(filter, plane, bodies);
	reader->corrupt = (byte1 & RIBBON_BYTE1_FLAGS && flags == 0) ||
		head_contradicts_itself(filter, plane, bodies, byte0, flags);
	return known;
}

/*
 * Find what lies between the head, which ends at *end, and the bodies:
 * dictionary, codes, nextra bytes.  *end moves behind them.  Returns false if
 * they do not fit nbytes bytes.
 */
static bool
find_parts(uint64_t nbytes, uint64_t nextra, RibbonFilter *filter,
		   RibbonCodes *codes, uint64_t *end)
{
	uint64_t left = nbytes - *end;
	uint64_t ntable = 0;

	if (filter->ndictionary > left)
		return false;
	left -= filter->ndictionary;
	if (filter->ndictionary > 0)
		filter->dictionary_at = *end;
	*end += filter->ndictionary;
	if (codes->nlevels > 0)
	{
		ntable = ribbon_codes_table_bytes(codes);
		codes->table = NULL;
		codes->table_at = *end;
	}
	*end += ntable + nextra;
	return ntable <= left && nextra <= left - ntable;
}

RibbonStatus
ribbon_format_decode_head(const uint8_t *bytes, size_t nheader, uint64_t nbytes,
						  RibbonFilter *filter, RibbonPlane *plane,
						  RibbonBodies *bodies, uint64_t *end)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	unsigned byte0 = ribbon_read_byte(&reader);
	uint64_t nextra;
	bool known;

	ribbon_clear(filter, offsetof(RibbonFilter, inside.opened));
	ribbon_clear(plane, offsetof(RibbonPlane, systems));
	memset(bodies, 0, offsetof(RibbonBodies, codes));
	bodies->codes.nlevels = 0;
	if ((byte0 & 15) != RIBBON_FORMAT_VERSION)
		return RIBBON_BAD_VERSION;

	known = read_head(&reader, byte0, filter, plane, bodies, &nextra);
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (!known)
		return RIBBON_BAD_VERSION;
	if (reader.corrupt)
		return RIBBON_CORRUPT;

	*end = (uint64_t) (reader.next - bytes);
	filter->inside.head_bytes = (uint32_t) *end;
	filter->total_bytes = nbytes;
	return find_parts(nbytes, nextra, filter, &bodies->codes, end) ?
		RIBBON_OK :
		RIBBON_TRUNCATED;
}
