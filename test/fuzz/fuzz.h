/*
 * fuzz.h - what a fuzz target is, and what all of them share
 *
 * A target takes any bytes and must come back: whatever it checks on the way it
 * checks with CHECK, which ends a program of these.  libfuzzer.c lets clang's
 * fuzzer call a target; driver.c calls all of them with a fixed sequence of
 * inputs.
 *
 *	 filter		the bytes are a filter's: open, probe and shrink it
 *	 probe		the same of small ones, with fewer checks and far more inputs
 *	 build		the bytes describe a set of hashes: build filters of it
 *	 store		the same from stores, in small windows and in threads
 *	 set		the bytes are steps: fill a set in a file, and read it
 *	 keys		the bytes are a ribbonkeys: read it, and write it again
 *	 map		the bytes are a map's: open it, and get from it
 *	 exact		the bytes are an exact set's, and records to build one of
 *	 library	the bytes are any of these: whatever libribbon offers
 *
 * An input that once ended the program is kept in found/, TARGET-WHAT.bin, and
 * must not do so again.
 */
#ifndef RIBBON_FUZZ_H
#define RIBBON_FUZZ_H

#include "base/kernel.h"
/* A check that fails ends the program: to be seen before built.h is. */
#define CHECK_ENDS 1
#include "built.h"

#include <string.h>

#define FUZZ_MAX_INPUT 65536

typedef struct FuzzTarget
{
	const char *name;
	unsigned ntests; /* mutations that are a test */
	size_t most;	 /* bytes of an input; more are refused, or say no more */
	/* true if the input was of the right form, so that much was checked */
	bool (*run)(const uint8_t *input, size_t size);
	/* change an input of size bytes in a buffer of max; the new size */
	size_t (*mutate)(Random *random, uint8_t *input, size_t size, size_t max);
	/* write the i-th good input to start from, at most max bytes; 0: no more */
	size_t (*seed)(unsigned i, uint8_t *input, size_t max);
} FuzzTarget;

extern const FuzzTarget fuzz_filter;
extern const FuzzTarget fuzz_probe;
extern const FuzzTarget fuzz_build;
extern const FuzzTarget fuzz_store;
extern const FuzzTarget fuzz_set;
extern const FuzzTarget fuzz_keys;
extern const FuzzTarget fuzz_map;
extern const FuzzTarget fuzz_exact;
extern const FuzzTarget fuzz_library;

/* kernels.c: one of the kernels, any number's; 0 is the best one's. */
extern RibbonKernel fuzz_kernel(uint64_t i);

/* bytes.c: small changes that know nothing of what the bytes mean. */
extern size_t fuzz_mutate_bytes(Random *random, uint8_t *input, size_t size,
								size_t max);

/* A number that fuzzing thinks of: small, near a power of two, or any. */
extern uint64_t fuzz_number(Random *random);

#endif /* RIBBON_FUZZ_H */
