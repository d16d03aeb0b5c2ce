/*
 * huffman.c - the lengths of codes that take the fewest bits in all
 *
 * Huffman's algorithm with two queues: the values in ascending order of how
 * frequent they are, and the nodes of the tree in the order in which they are
 * made, which is ascending, too.  If a length exceeds RIBBON_LONGEST_CODE,
 * which takes a value that fewer than one key in a million has, the rarest
 * values count as if they were less rare, and it is done again.
 */
#include "compose/codebook.h"

#include "set/sort.h"

#define LEAF_BITS	18 /* of a word to sort by; the count is above */
#define MOST_COUNTS ((UINT64_C(1) << (64 - LEAF_BITS)) - 1)

_Static_assert(RIBBON_MAX_CODES <= 1 << LEAF_BITS, "each leaf has a number");

/* A tree of n leaves, and n - 1 nodes above them. */
typedef struct Tree
{
	uint32_t n;
	uint64_t *order;   /* words by which leaves are sorted */
	uint64_t *counts;  /* of leaves in order, then of nodes */
	uint32_t *parents; /* likewise; later, depths */
} Tree;

/* The rarer one of the first leaf and the first node that have no parent. */
static uint32_t
take_rarest(const Tree *tree, uint32_t *leaf, uint32_t *node, uint32_t end)
{
	bool is_leaf = *leaf < tree->n &&
		(*node == end || tree->counts[*leaf] <= tree->counts[*node]);

	return is_leaf ? (*leaf)++ : (*node)++;
}

/* Build the tree, if no leaf counts less than least; returns its depth. */
static uint32_t
grow_tree(Tree *tree, uint64_t least)
{
	uint32_t n = tree->n;
	uint32_t leaf = 0, node = n, root = 2 * n - 2;
	uint32_t depth = 0;

	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t count = tree->order[i] >> LEAF_BITS;

		tree->counts[i] = count < least ? least : count;
	}
	for (uint32_t next = n; next <= root; next++)
	{
		uint32_t a = take_rarest(tree, &leaf, &node, next);
		uint32_t b = take_rarest(tree, &leaf, &node, next);

		tree->counts[next] = tree->counts[a] + tree->counts[b];
		tree->parents[a] = tree->parents[b] = next;
	}
	tree->parents[root] = 0;
	for (uint32_t i = root; i-- > 0;)
	{
		tree->parents[i] = tree->parents[tree->parents[i]] + 1;
		depth = tree->parents[i] > depth ? tree->parents[i] : depth;
	}
	return depth;
}

RibbonStatus
ribbon_huffman_lengths(const RibbonEnv *env, const uint64_t *counts, uint32_t n,
					   uint64_t *lengths)
{
	uint64_t nnodes = 2 * (uint64_t) n;
	uint64_t least = 0;
	Tree tree = {.n = n,
				 .order = ribbon_alloc_array(env, n, sizeof(uint64_t)),
				 .counts = ribbon_alloc_array(env, nnodes, sizeof(uint64_t)),
				 .parents = ribbon_alloc_array(env, nnodes, sizeof(uint32_t))};
	RibbonStatus status = RIBBON_OK;

	if (tree.order == NULL || tree.counts == NULL || tree.parents == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	for (uint32_t i = 0; status == RIBBON_OK && i < n; i++)
		tree.order[i] = ribbon_min64(counts[i], MOST_COUNTS) << LEAF_BITS | i;
	if (status == RIBBON_OK)
		status = ribbon_sort(env, 1, tree.order, n, NULL);
	while (status == RIBBON_OK && grow_tree(&tree, least) > RIBBON_LONGEST_CODE)
	{
		least = least == 0 ? 1 : 2 * least;
		if (ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
	}
	for (uint32_t i = 0; status == RIBBON_OK && i < n; i++)
		lengths[tree.order[i] & ((1 << LEAF_BITS) - 1)] = tree.parents[i];
	ribbon_free(env, tree.order);
	ribbon_free(env, tree.counts);
	ribbon_free(env, tree.parents);
	return status;
}
