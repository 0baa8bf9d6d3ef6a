"""FastSketchLSH: sketches on all cores, LSH with 16 bands, candidates checked by the sketches."""
import sys

import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch
from files import read, write_pairs
from words import shingles

HASHES = 128
THRESHOLD = 0.8
BATCH = 4096  # shingles of this many documents are in memory at a time

ids, texts = read(sys.argv[1])
sketcher = FastSimilaritySketch(size=HASHES, seed=42)
parts = [
    np.asarray(sketcher.batch([shingles(text) for text in texts[start : start + BATCH]]))
    for start in range(0, len(texts), BATCH)
]
sketches = np.concatenate(parts)
index = LSH(num_perm=HASHES, num_bands=16)
index.insert(sketches)
pairs = []
for place, found in enumerate(index.query(sketches)):
    earlier = np.array([other for other in found if other < place], dtype=np.int64)
    if len(earlier) > 0:
        estimates = (sketches[earlier] == sketches[place]).mean(axis=1)
        pairs += [(other, place) for other in earlier[estimates >= THRESHOLD].tolist()]
write_pairs(sys.argv[2], ids, pairs)
