"""datasketch: sketches on all cores, then MinHashLSH with the bands it chooses, candidates checked by the sketches."""
import os
import sys
from multiprocessing import Pool

import xxhash
from datasketch import MinHash, MinHashLSH
from files import read, write_pairs
from words import shingles

HASHES = 128
THRESHOLD = 0.8
# A fast hash in place of the default SHA-1, as its documentation advises.
settings = {"num_perm": HASHES, "hashfunc": xxhash.xxh32_intdigest, "scheme": "affine32"}
permutations = MinHash(**settings).permutations


def hash_values(text):
    sketch = MinHash(permutations=permutations, **settings)
    sketch.update_batch([shingle.encode() for shingle in set(shingles(text))])
    return sketch.hashvalues


def main(corpus, out):
    ids, texts = read(corpus)
    with Pool(os.cpu_count()) as pool:
        values = pool.map(hash_values, texts, chunksize=256)
    sketches = [MinHash(hashvalues=each, permutations=permutations, **settings) for each in values]
    index = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
    pairs = []
    for place, sketch in enumerate(sketches):
        pairs += [(other, place) for other in index.query(sketch) if sketch.jaccard(sketches[other]) >= THRESHOLD]
        index.insert(place, sketch, check_duplication=False)
    write_pairs(out, ids, pairs)


if __name__ == "__main__":
    main(*sys.argv[1:])
