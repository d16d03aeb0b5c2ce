/*
 * string.h - the functions of it that the core calls, of memory.c
 */
#ifndef RIBBON_WASM_STRING_H
#define RIBBON_WASM_STRING_H

#include <stddef.h>

extern void *memcpy(void *restrict to, const void *restrict from, size_t n);
extern void *memmove(void *to, const void *from, size_t n);
extern void *memset(void *to, int byte, size_t n);
extern int memcmp(const void *a, const void *b, size_t n);
extern int strcmp(const char *a, const char *b);

#endif /* RIBBON_WASM_STRING_H */
