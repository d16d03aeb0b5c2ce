# core.mk - how the core is compiled: for the server, libribbon, WebAssembly and Python
#
# Included by the Makefile.  clients/python/setup.py reads the lines NAME = FLAGS.

# The same set has the same filter on every machine, so sizes must be computed alike: a
# product is rounded before it is added to.  And an opened filter's planes are among its
# words.  That is no matter of taste, so flags of the command line do not take its place.
CORE_MEANING = -ffp-contract=off -fno-strict-aliasing

# Functions begin with a cache line and loops with half of one: where else they come to lie
# may cost a probe a quarter, or more (w = 128, 3,000,000 keys: 22 ns with both, 34 with the
# first alone).  This is the packager's to replace.
CORE_ALIGNMENT = -falign-functions=64 -falign-loops=32
