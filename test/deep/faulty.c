/*
 * faulty.c - what every analyser must find
 *
 * Analysed by run.sh along with our own files: an analyser that has nothing to
 * say about this one has not run, or says it in a way that we do not read.
 */
#include <stdlib.h>

void free_twice(void *memory);

void
free_twice(void *memory)
{
	free(memory);
	free(memory);
}
