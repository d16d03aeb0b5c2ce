/*
 * cluster.h - are hashes spread as chance spreads them?
 *
 * Sorted hashes tell where rows start.  Any place of a filter has about as many
 * of them as any other: how far a hash is from the K-th behind it varies with
 * the root of K only.  Where it is far less, or more, somebody chose keys for
 * that, and it is cheaper to know before they are banded than to find out.
 */
#ifndef RIBBON_CLUSTER_H
#define RIBBON_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Do these hashes, all there are up to last, cluster in a place or leave one empty
 * more than chance explains, if ntotal hashes are spread over all 64-bit numbers?
 * Of random sets of up to 10^9 hashes, one in 10^5 does.
 */
extern bool ribbon_is_clustered(const uint64_t *hashes, size_t n, uint64_t last,
								uint64_t ntotal);

/*
 * The most hashes, of ntotal, that chance gives to one of nwindows windows of
 * equal size: it adds a few times the root of their number.
 */
static inline uint64_t
ribbon_cluster_limit(uint64_t ntotal, uint64_t nwindows)
{
	uint64_t mean = ntotal / nwindows;

	return nwindows == 1 ? mean : mean + mean / 16;
}

#endif /* RIBBON_CLUSTER_H */
