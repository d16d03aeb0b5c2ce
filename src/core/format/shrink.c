/*
 * shrink.c - a higher FPR for fewer bytes, without the keys [RF 5.1]
 *
 * A filter with its last columns dropped, or the last column dropped from a
 * prefix of its blocks, is the filter that those result bits alone would have
 * given.  In ICML a block's first columns are its first bits, so shrinking
 * a system copies a prefix of each block.
 *
 * How many non-members a homogeneous solution lets through whatever chance says
 * depends on how many of its columns are left; so these are tried, and counted
 * (rate.h), before any is copied.
 */
#include "base/alloc.h"
#include "base/power.h"
#include "format/buckets.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/rate.h"

/*
 * An FPR this close to the filter's own asks for no change: builders hit the
 * rate they are asked for to a few tenths of a percent.
 */
#define SAME_FPR 1.004

#define COLUMNS_TRIES 12 /* of a homogeneous filter; one or two are usual */

static void
copy_bits(uint8_t *to, uint64_t to_bit, const uint8_t *from, uint64_t from_bit,
		  uint64_t nbits)
{
	if (((to_bit | from_bit) & 7) == 0)
	{
		memcpy(to + to_bit / 8, from + from_bit / 8, nbits / 8);
		to_bit += nbits & ~UINT64_C(7);
		from_bit += nbits & ~UINT64_C(7);
		nbits &= 7;
	}
	for (; nbits > 0;)
	{
		unsigned step = (unsigned) ribbon_min64(nbits, 64);

		ribbon_or_bits(to, to_bit, step,
					   ribbon_load_bits(from, from_bit, step));
		to_bit += step;
		from_bit += step;
		nbits -= step;
	}
}

static RibbonStatus
shrink_region(const RibbonEnv *env, const RibbonSystem *from,
			  const RibbonSystem *to)
{
	uint64_t nblocks = (from->nslots + from->width - 1) / from->width;

	for (uint64_t block = 0; block < nblocks; block++)
	{
		copy_bits((uint8_t *) to->slots, ribbon_icml_block_bit(to, block),
				  from->slots, ribbon_icml_block_bit(from, block),
				  (uint64_t) ribbon_icml_rows(to, block) *
					  ribbon_icml_columns(to, block));
		if (block % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Which columns leave the filter at this FPR, by chance? */
static RibbonResultBits
columns_for(const RibbonFilter *filter, double fpr)
{
	RibbonResultBits result_bits = ribbon_result_bits_for(fpr);

	/* rounding must not ask for what is not there */
	if (result_bits.bits > filter->result_bits ||
		(result_bits.bits == filter->result_bits &&
		 result_bits.wide > filter->wide))
	{
		result_bits.bits = filter->result_bits;
		result_bits.wide = filter->wide;
	}
	return result_bits;
}

static void
set_columns(RibbonFilter *shrunk, RibbonResultBits result_bits)
{
	shrunk->result_bits = result_bits.bits;
	shrunk->wide = result_bits.wide;
}

/*
 * Set the columns of a homogeneous filter, and the P that these have.  The last
 * try's P leads to the next one; where that falls out of the bounds known so
 * far, as it may with few keys, they are halved instead.  Of the tries, the
 * highest rate not above the FPR counts.  Where none is higher than the rate
 * that the filter states, it stays as it is: no other P is true of its slots.
 */
static RibbonStatus
choose_counted(const RibbonEnv *env, const RibbonFilter *filter, double fpr,
			   RibbonFilter *shrunk)
{
	RibbonResultBits own = {filter->result_bits, filter->wide};
	double probability = ribbon_format_decode_dependence(filter->dependence);
	double low = ribbon_result_bits_fpr(own);
	double high = fpr * SAME_FPR;
	double best = ribbon_fpr(filter);

	for (int i = 0; i < COLUMNS_TRIES && best * SAME_FPR < fpr; i++)
	{
		double chance = ribbon_result_bits_chance_beside(fpr, probability);
		RibbonFilter tried;
		RibbonResultBits result_bits;
		RibbonStatus status;
		double rate;

		memcpy(&tried, filter, ribbon_filter_size(filter));
		if (chance <= low || chance >= high)
			chance = ribbon_exp2((ribbon_log2(low) + ribbon_log2(high)) / 2);
		result_bits = columns_for(filter, chance);
		status = ribbon_rate_excess(env, &filter->systems[0], result_bits,
									&probability);
		if (status != RIBBON_OK)
			return status;
		set_columns(&tried, result_bits);
		tried.dependence = ribbon_format_encode_dependence(probability);
		probability = ribbon_format_decode_dependence(tried.dependence);
		rate = ribbon_rate_of(probability, ribbon_result_bits_fpr(result_bits));
		if (rate > SAME_FPR * fpr)
			high = chance;
		else
			low = chance;
		if (rate <= SAME_FPR * fpr && rate >= best)
		{
			best = rate;
			*shrunk = tried;
		}
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_shrink(const RibbonEnv *env, const RibbonFilter *filter, double fpr,
			  size_t headroom, uint8_t **out, size_t *nbytes)
{
	double own = ribbon_fpr(filter);
	RibbonFilter shrunk;
	RibbonStatus status;
	uint8_t *buffer;

	memcpy(&shrunk, filter, ribbon_filter_size(filter));
	if (!(fpr >= RIBBON_MIN_FPR && fpr <= RIBBON_MAX_FPR))
		return RIBBON_BAD_FPR;
	if (fpr * SAME_FPR < own)
		return RIBBON_NOT_LARGER;

	if (filter->nkeys > 0 && fpr > own * SAME_FPR)
	{
		if (filter->kind == RIBBON_BURR)
			set_columns(&shrunk, columns_for(filter, fpr));
		else
		{
			status = choose_counted(env, filter, fpr, &shrunk);
			if (status != RIBBON_OK)
				return status;
		}
	}

	status = ribbon_format_create(env, &shrunk, headroom, &buffer);
	if (status != RIBBON_OK)
		return status;
	for (int i = 0; i < filter->nlayers; i++)
		memcpy((uint8_t *) shrunk.systems[i].thresholds,
			   filter->systems[i].thresholds,
			   ribbon_buckets_threshold_bytes(&filter->systems[i],
											  &filter->buckets));
	for (unsigned i = 0;
		 i < ribbon_filter_nsystems(filter) && status == RIBBON_OK; i++)
		status = shrink_region(env, &filter->systems[i], &shrunk.systems[i]);
	if (status != RIBBON_OK)
	{
		ribbon_free(env, buffer);
		return status;
	}
	*out = buffer;
	*nbytes = shrunk.total_bytes;
	return RIBBON_OK;
}
