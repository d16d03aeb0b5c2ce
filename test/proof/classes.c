/*
 * classes.c - prove that key classes are told apart in a few steps
 * (keys/classes.h)
 */
#include "keys/classes.c"

#include "contracts.h"

/*
 * PROVE	ribbon_key_class_is_valid
 * FOR		all numbers
 * UNWIND	5
 */
void
prove_key_class(void)
{
	int key_class = nondet_int();

	if (ribbon_key_class_is_valid(key_class))
		prove(key_class >= 0 && key_class < 1 << 20);
}
