/*
 * chain.c - exact sets that correct each other: --after
 *
 * The first part is an exact set, and each later one has the keys about which
 * those before it are wrong.  So a key is a member if an odd number of the
 * parts contain it.
 */
#include "chain.h"

#include "command/files/fields.h"

#include <stdlib.h>

void
chain_open(Chain *chain, const FileNames *after, int key_type)
{
	chain->n = after->n;
	chain->parts = need(calloc((size_t) chain->n + 1, sizeof(Loaded)));
	for (int i = 0; i < chain->n; i++)
	{
		const ribbon_filter *part;

		load(&chain->parts[i], after->names[i]);
		part = chain->parts[i].filter;
		chain_need_exact(part, after->names[i]);
		if (ribbon_filter_key_type(part) != key_type && !takes_any_keys(part))
			die_of_key_type(part, after->names[i], key_type);
	}
}

void
chain_need_exact(const ribbon_filter *filter, const char *name)
{
	if (ribbon_filter_kind(filter) != RIBBON_KIND_EXACT)
		die("\"%s\" is no exact set: only these correct each other", name);
}

void
chain_correct(const Chain *chain, const ribbon_keys *keys, bool *selected,
			  size_t n)
{
	bool found[BATCH];

	for (int i = 0; i < chain->n; i++)
	{
		need_success(ribbon_filter_contains_keys(chain->parts[i].filter, keys,
												 found));
		for (size_t k = 0; k < n; k++)
			selected[k] ^= found[k];
	}
}

void
chain_close(Chain *chain)
{
	for (int i = 0; i < chain->n; i++)
		unload(&chain->parts[i]);
	free(chain->parts);
}
