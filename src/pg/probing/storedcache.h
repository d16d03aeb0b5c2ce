/*
 * storedcache.h - a cache of stored filters and maps that were read whole
 */
#ifndef RIBBON_STOREDCACHE_H
#define RIBBON_STOREDCACHE_H

#include "probing/storedentry.h"

/*
 * The filter or map for nprobes probes; NULL if it is to be probed in slices.
 * It is valid until other code is called that may probe stored data.
 */
extern const RibbonFilter *ribbon_storedcache_find(RibbonSqlType type,
												   struct varlena *stored,
												   unsigned nprobes);

/*
 * The filter or map of a datum, if that is stored and the one found last; else
 * NULL.  Once per row.
 */
static inline const RibbonFilter *
ribbon_storedcache_find_last(RibbonSqlType type, struct varlena *datum)
{
	const RibbonStoredEntry *last = ribbon_storedentry_last;

	if (last == NULL || last->type != type ||
		!VARATT_IS_EXTERNAL_ONDISK(datum) ||
		memcmp(VARDATA_EXTERNAL(datum), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->filter;
}

#endif /* RIBBON_STOREDCACHE_H */
