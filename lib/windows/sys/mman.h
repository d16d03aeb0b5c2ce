/*
 * mman.h - files in memory, read only and whole
 */
#ifndef RIBBON_SYS_MMAN_H
#define RIBBON_SYS_MMAN_H

#include <stddef.h>

#define PROT_READ  1
#define MAP_SHARED 1
#define MAP_FAILED ((void *) -1)

extern void *mmap(void *at, size_t size, int protection, int flags, int fd,
				  long long offset);
extern int munmap(void *mapped, size_t size);

#endif /* RIBBON_SYS_MMAN_H */
