/*
 * assembly.h - the bytes of a filter, map or exact set, put together of planes
 *
 * A plane is built in a buffer of its own (construct/planes.h), and the first
 * one's buffer takes all others.  Whatever stands before their bodies is
 * written in the end (construct/bytes.h):
 *
 *----------
 *	 filter, map of plain codes		head | dictionary | header, body of plane 0
 *									| header, body of plane 1
 *	 map, codes by frequency		head | dictionary | table | headers | bodies
 *	 exact set						head | header, body | header, body
 *----------
 *
 * A plane that stores nothing, such as that of no keys, has no body.
 *
 * Errors of all functions: those of ribbon_build.  ribbon_assembly_free is to
 * be called in the end, after a failure too.
 */
#ifndef RIBBON_ASSEMBLY_H
#define RIBBON_ASSEMBLY_H

#include "construct/planes.h"
#include "format/format.h"

/* What ribbon_build has been asked for.  The params are valid. */
typedef struct RibbonBuild
{
	const RibbonEnv *env;
	const RibbonParams *params;
	RibbonResultBits check; /* of params->fpr */
	size_t headroom;
} RibbonBuild;

typedef struct RibbonAssembly
{
	const RibbonBuild *build;
	RibbonRoom room; /* around the first body, for all else */

	RibbonBytes bodies;
	RibbonBytes headers; /* of levels and the filter in front of them */
	RibbonPlane first;	 /* the plane with the role RIBBON_ROLE_FIRST */
	RibbonPlane last;	 /* of the others, the one that was added last; */
	size_t last_at;		 /* among bodies, it begins here behind its header */
} RibbonAssembly;

/*
 * Begin a filter.  The bodies behind the first one are expected to take
 * room.behind bytes; and headers and tables before all room.before bytes,
 * besides head, dictionary and one header.
 */
extern void ribbon_assembly_begin(RibbonAssembly *a, const RibbonBuild *build,
								  RibbonRoom room);
extern void ribbon_assembly_free(RibbonAssembly *a);

/*
 * Build a plane of sorted, distinct keys, and add it: of records, with what
 * their supply says, or of hashes, for which that is NULL.  The keys are not
 * changed.
 */
extern RibbonStatus ribbon_assembly_add(RibbonAssembly *a,
										const RibbonSet *keys,
										const RibbonSupply *supply,
										RibbonResultBits check,
										RibbonRole role);

/*
 * Put all together: a filter or map, whose codes, and their table, are NULL if
 * they are plain; or an exact set.  On RIBBON_OK *bytes is the result, behind
 * headroom bytes, in a buffer that the caller frees.
 */
extern RibbonStatus ribbon_assembly_finish(RibbonAssembly *a,
										   const RibbonCodes *codes,
										   const uint8_t *table,
										   RibbonBytes *bytes);
extern RibbonStatus ribbon_assembly_finish_exact(RibbonAssembly *a,
												 const RibbonExactHead *head,
												 RibbonBytes *bytes);

#endif /* RIBBON_ASSEMBLY_H */
