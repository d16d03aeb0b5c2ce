/*
 * sharedfile.h - temporary files that other processes of a query can open
 */
#ifndef RIBBON_SHAREDFILE_H
#define RIBBON_SHAREDFILE_H

#include "ribbon_pg.h"

#include "storage/fd.h"

/*
 * Names a file that other processes of a query can open, together with the pid
 * of the leader of the parallel workers.
 */
typedef struct RibbonFileName
{
	uint32 pid;	   /* of the process that created it */
	uint32 number; /* of the file among those of the process */
	Oid tablespace;
} RibbonFileName;

/* Create a file, and fill in *name, by which others find it. */
extern File ribbon_sharedfile_create(RibbonFileName *name);

/* Open a file for reading.  Throws if there is no file of this name. */
extern File ribbon_sharedfile_open(const RibbonFileName *name);

/* Delete a file.  Does not throw. */
extern void ribbon_sharedfile_delete(const RibbonFileName *name);

/*
 * A subtransaction has failed: delete such files as are left; not yet if
 * postpone says so.  Does not throw.
 */
extern void ribbon_sharedfile_clean(bool postpone);

/* From now on, delete them when a transaction ends. */
extern void ribbon_sharedfile_init(void);

#endif /* RIBBON_SHAREDFILE_H */
