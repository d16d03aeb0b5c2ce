/*
 * shrink.c - a higher FPR for fewer bytes, without the keys [RF 5.1]
 *
 * Drop the last columns of a filter, or the last column from a prefix of its
 * blocks: what is left is a filter of the same keys with fewer result bits.  In
 * ICML a block's first columns are its first bits, so shrinking a system copies
 * a prefix of each block.
 *
 * The P of a homogeneous filter (solve/rate.h) depends on how many columns are
 * left.  So P is counted for some numbers of columns before any is copied.
 */
#include "base/env.h"
#include "base/power.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/place.h"
#include "inspect/inspect.h"
#include "probe/opened.h"
#include "solve/rate.h"

/*
 * An FPR within this factor of the filter's own changes nothing: a build gives
 * the rate that it is asked for to a few tenths of a percent (GIVES_FPR,
 * homog.c; RIBBON_NUDGE).
 */
#define SAME_FPR 1.004

#define COLUMNS_TRIES 12 /* at most, if homogeneous; one or two are usual */

/*
 * Set the result bits of a shrunk homogeneous filter, and P, which is counted
 * for each choice of them.  A try takes the result bits that would give the FPR
 * with the P of the try before.  If their chance is outside of the bounds known
 * so far, as it may be with few keys, it takes the middle of the bounds (in
 * log2) instead.  The try with the highest rate not above the FPR wins.  If
 * none of them is above the filter's own rate, *shrunk is left as it is.  (A
 * build, which can solve once more, has no bounds: find_bits, homog.c.)
 */
static RibbonStatus
choose_counted(const RibbonEnv *env, const RibbonPlane *plane, double fpr,
			   RibbonPlane *shrunk)
{
	double probability = ribbon_dependence_decode(plane->dependence);
	double low = ribbon_result_bits_fpr(plane->check);
	double high = fpr * SAME_FPR;
	double best = ribbon_inspect_plane_fpr(plane);

	for (int i = 0; i < COLUMNS_TRIES && best * SAME_FPR < fpr; i++)
	{
		double chance = ribbon_result_bits_chance_beside(fpr, probability);
		RibbonResultBits result_bits;
		unsigned dependence;
		RibbonStatus status;
		double rate;

		if (chance <= low || chance >= high)
			chance = ribbon_exp2((ribbon_log2(low) + ribbon_log2(high)) / 2);
		result_bits = ribbon_result_bits_for(chance);
		status = ribbon_rate_excess(env, &plane->systems[0], result_bits,
									&probability);
		if (status != RIBBON_OK)
			return status;
		dependence = ribbon_dependence_encode(probability);
		probability = ribbon_dependence_decode(dependence);
		rate = ribbon_dependence_rate(probability,
									  ribbon_result_bits_fpr(result_bits));
		if (rate > SAME_FPR * fpr)
			high = chance;
		else
			low = chance;
		if (rate <= SAME_FPR * fpr && rate >= best)
		{
			best = rate;
			shrunk->check = result_bits;
			shrunk->dependence = dependence;
		}
	}
	return RIBBON_OK;
}

/*
 * Begin the bytes of a filter whose header plane has: in *buffer, which the
 * caller frees, behind headroom bytes, that header, and zeros.  Sets where the
 * plane's body is, and what it takes.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
static RibbonStatus
create_bytes(const RibbonEnv *env, RibbonPlane *plane, int key_class,
			 size_t headroom, uint8_t **buffer)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t size = ribbon_format_encode_head(plane, key_class, NULL, NULL,
											header);
	RibbonStatus status;

	plane->at = size;
	plane->header_bytes = ribbon_format_encode_body(plane, RIBBON_ROLE_FIRST,
													header + size);
	size += plane->header_bytes;
	ribbon_place_systems(plane);
	*buffer = ribbon_alloc(env, headroom + plane->at + plane->total_bytes);
	if (*buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(*buffer + headroom, header, size);
	status = ribbon_zero(env, *buffer + headroom + size,
						 plane->total_bytes - plane->header_bytes);
	if (status != RIBBON_OK)
		ribbon_free(env, *buffer);
	return status;
}

/*
 * Copy what is left of all thresholds and slots to the body of to.  Errors:
 * RIBBON_INTERRUPTED.
 */
static RibbonStatus
copy_systems(const RibbonEnv *env, const RibbonPlane *from,
			 const RibbonPlane *to, uint8_t *body)
{
	uint64_t slots = ribbon_place_slots_at(to, 0);
	RibbonStatus status = RIBBON_OK;

	memcpy(body + to->header_bytes, from->bytes + from->header_bytes,
		   slots - to->header_bytes);
	for (unsigned i = 0; i < ribbon_plane_nsystems(from) && status == RIBBON_OK;
		 i++)
	{
		status = ribbon_icml_keep_columns(env, &from->systems[i],
										  &to->systems[i], body + slots);
		slots += ribbon_icml_bytes(&to->systems[i]);
	}
	return status;
}

RibbonStatus
ribbon_shrink(const RibbonEnv *env, const RibbonFilter *filter, double fpr,
			  size_t headroom, uint8_t **out, size_t *nbytes)
{
	const RibbonPlane *plane = &ribbon_opened(filter)->plane;
	double own = ribbon_inspect_plane_fpr(plane);
	bool is_higher = plane->nkeys > 0 && fpr > own * SAME_FPR;
	RibbonPlane shrunk;
	RibbonStatus status = RIBBON_OK;
	uint8_t *buffer;

	if (filter->has_values)
		return RIBBON_BAD_PARAMS;
	if (filter->is_exact)
		return RIBBON_IS_EXACT;
	if (!ribbon_is_fpr(fpr))
		return RIBBON_BAD_FPR;
	if (fpr * SAME_FPR < own)
		return RIBBON_NOT_LARGER;

	memcpy(&shrunk, plane, ribbon_plane_size(plane));
	/* so much higher that rounding gives fewer result bits than it has */
	if (is_higher && plane->kind == RIBBON_BURR)
		shrunk.check = ribbon_result_bits_for(fpr);
	else if (is_higher)
		status = choose_counted(env, plane, fpr, &shrunk);
	if (status == RIBBON_OK)
		status = create_bytes(env, &shrunk, filter->key_class, headroom,
							  &buffer);
	if (status != RIBBON_OK)
		return status;

	status = copy_systems(env, plane, &shrunk, buffer + headroom + shrunk.at);
	if (status != RIBBON_OK)
	{
		ribbon_free(env, buffer);
		return status;
	}
	*out = buffer;
	*nbytes = (size_t) (shrunk.at + shrunk.total_bytes);
	return RIBBON_OK;
}
