/*
 * chain.h - exact sets that correct each other: --after
 */
#ifndef RIBBON_COMMAND_CHAIN_H
#define RIBBON_COMMAND_CHAIN_H

#include "load.h"
#include "options.h"

/* The exact sets before this one, n of them; see chain.c. */
typedef struct Chain
{
	Loaded *parts;
	int n;
} Chain;

extern void chain_open(Chain *chain, const Options *options);
extern void chain_close(Chain *chain);

/* End if it is no exact set. */
extern void chain_need_exact(const ribbon_filter *filter, const char *name);

/* Is a key a member, as far as they know?  Without any: no. */
extern bool chain_has(const Chain *chain, ribbon_key key);

/* The same of n keys, to turn round what is selected; space is for n more. */
extern void chain_correct(const Chain *chain, const ribbon_keys *keys,
						  bool *selected, bool *space, size_t n);

#endif /* RIBBON_COMMAND_CHAIN_H */
