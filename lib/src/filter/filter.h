/*
 * filter.h - an opened filter
 */
#ifndef RIBBON_LIB_FILTER_H
#define RIBBON_LIB_FILTER_H

#include "src/internal.h"

#include "values/dictionary.h"

struct ribbon_filter
{
	RibbonFilter core;
	RibbonDictionary dictionary; /* of a map that has one */
	void *mapped;				 /* from a file, or NULL */
};

#endif /* RIBBON_LIB_FILTER_H */
