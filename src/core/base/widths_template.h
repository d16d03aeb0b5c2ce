/*
 * widths_template.h - a template (template.h) for ribbon widths 32, 64 and 128
 *
 * Its includer has defined RIBBON_TEMPLATE, the template's name.
 */
#include "base/template.h"
#define RIBBON_BITS 32
#include RIBBON_TEMPLATE
#undef RIBBON_BITS
#define RIBBON_BITS 64
#include RIBBON_TEMPLATE
#undef RIBBON_BITS
#define RIBBON_BITS 128
#include RIBBON_TEMPLATE
#undef RIBBON_BITS
#undef RIBBON_TEMPLATE
#include "base/template_end.h"
