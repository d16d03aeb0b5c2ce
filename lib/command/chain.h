/*
 * chain.h - exact sets that correct each other: --after
 */
#ifndef RIBBON_COMMAND_CHAIN_H
#define RIBBON_COMMAND_CHAIN_H

#include "command/files/load.h"
#include "command/options/options.h"

/* The exact sets before this one, n of them; see chain.c. */
typedef struct Chain
{
	Loaded *parts;
	int n;
} Chain;

/* Open the sets, or end if one is no exact set, or has keys of another type. */
extern void chain_open(Chain *chain, const FileNames *after, int key_type);
extern void chain_close(Chain *chain);

/* End if it is no exact set. */
extern void chain_need_exact(const ribbon_filter *filter, const char *name);

/*
 * Turn selected[i] round for each set of the chain that key i is in, i < n, n
 * at most BATCH.
 */
extern void chain_correct(const Chain *chain, const ribbon_keys *keys,
						  bool *selected, size_t n);

#endif /* RIBBON_COMMAND_CHAIN_H */
