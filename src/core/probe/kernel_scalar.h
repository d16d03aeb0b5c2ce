/*
 * kernel_scalar.h - both inner loops in plain C, for all ribbon widths
 *
 * Included by a kernel's file after it has defined KERNEL_TARGET.
 */
#define RIBBON_BITS 32
#include "probe/probe_template.h"
#define RIBBON_BITS 64
#include "probe/probe_template.h"
#define RIBBON_BITS 128
#include "probe/probe_template.h"

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 64
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"
