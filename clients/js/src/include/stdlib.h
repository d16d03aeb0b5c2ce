/*
 * stdlib.h - the functions of it that the core calls, of memory.c
 */
#ifndef RIBBON_WASM_STDLIB_H
#define RIBBON_WASM_STDLIB_H

#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *block);

#endif /* RIBBON_WASM_STDLIB_H */
