"""inverse_hash.py - the int8 key that has a given hash

The key hash is public, and of eight bytes XXH3 is a bijection.
"""

import struct

M64 = 2**64 - 1
INVERSE = pow(0x9FB21C651E98DF25, -1, 2**64)
AT_ONCE = 1000


def mix(z):
    z = (z ^ z >> 33) * 0xFF51AFD7ED558CCD & M64
    z = (z ^ z >> 33) * 0xC4CEB9FE1A85EC53 & M64
    return z ^ z >> 33


def unmix(z):
    """The z whose ribbon_mix this is."""
    z = (z ^ z >> 33) * pow(0xC4CEB9FE1A85EC53, -1, 2**64) & M64
    z = (z ^ z >> 33) * pow(0xFF51AFD7ED558CCD, -1, 2**64) & M64
    return z ^ z >> 33


def at_seed(x, seed):
    """The last layer's (rotated) hash that a zone with this seed sees as x."""
    factor = mix((seed + 1) * 0xC2B2AE3D27D4EB4F & M64) | 1
    return x * pow(factor, -1, 2**64) & M64


def inverse(h, ones=1):
    """
    The number whose 8 bytes have this XXH3-64: xxhash.h's XXH3_len_4to8_64b, backwards.  With ones, a number that has a
    one in every 128 bits, h are many, one in each 128 bits: arithmetic on one that is long takes a seventh of the time.
    """
    mask = ones * M64

    def rotate(x, by):
        return (x << by | x >> 64 - by) & mask

    h = (h ^ h >> 28) & mask
    h = (h ^ h >> 56) & mask
    h = h * INVERSE & mask
    h ^= (h >> 35 & mask) + 8 * ones
    h = h * INVERSE & mask
    for power in range(6):      # f = 1 + x^49 + x^24; f^64 = 1, so 1/f = f^(1+2+4+8+16+32)
        h ^= rotate(h, 49 << power & 63) ^ rotate(h, 24 << power & 63)
    return rotate(h ^ ones * 0xC73AB174C5ECD5A2, 32)      # of XXH3's secret


def eight_bytes(h):
    return struct.pack("<Q", inverse(h))


def int8_key(h):
    return struct.unpack("<q", eight_bytes(h))[0]


def int8_keys(hashes):
    """The same for many."""
    for at in range(0, len(hashes), AT_ONCE):
        part = hashes[at:at + AT_ONCE]
        many = int.from_bytes(b"".join(h.to_bytes(16, "little") for h in part), "little")
        ones = int.from_bytes((b"\1" + bytes(15)) * len(part), "little")
        yield from (key for key, _ in struct.iter_unpack("<qq", inverse(many, ones).to_bytes(16 * len(part), "little")))
