/*
 * files.h - what the files of this folder share: the files that sets are in
 *
 *----------
 *	 set			  the core's (set/set.h): lists of blocks
 *	   block		  32 kB of a file; its source is the file's number
 *	 spill			  the one file that it writes, and files that others gave
 *----------
 */
#ifndef RIBBON_FILES_H
#define RIBBON_FILES_H

#include "server/server.h"
#include "spill/spill.h"
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

/*
 * sharedfile.c: temporary files that other processes of a query can open.
 */

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

/*
 * spillfile.c: a spill, which is files that are cut into blocks.
 */

/*
 * Give a file of a shared spill, or one that was adopted, to another process,
 * which deletes it in the end: returns the name to be sent.
 */
extern const RibbonFileName *ribbon_spill_give(RibbonSpill *spill, uint32 file);

/*
 * Open a file that another process has given, unless it is open.  Returns its
 * number in this spill.
 */
extern uint32 ribbon_spill_adopt(RibbonSpill *spill,
								 const RibbonFileName *name);

#endif /* RIBBON_FILES_H */
