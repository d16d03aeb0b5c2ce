/*
 * widths_template.h - code written once for ribbon widths 32, 64 and 128
 *
 * Such a template is a header that this one includes once per width, with
 * RIBBON_BITS defined; its includer has defined RIBBON_TEMPLATE, its name.  In
 * it, ROW is the row type of that width, ROW_FN(op) an operation of row.h,
 * NAME(prefix, verb) the name prefix<width>_verb.
 */
#define RIBBON_GLUE3(a, b, c) a##b##c
#define RIBBON_GLUE(a, b, c)  RIBBON_GLUE3(a, b, c)

#define ROW				   RIBBON_GLUE(RibbonRow, RIBBON_BITS, )
#define ROW_FN(op)		   RIBBON_GLUE(ribbon_row, RIBBON_BITS, _##op)
#define NAME(prefix, verb) RIBBON_GLUE(prefix, RIBBON_BITS, _##verb)

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
#undef RIBBON_GLUE3
#undef RIBBON_GLUE
#undef ROW
#undef ROW_FN
#undef NAME
