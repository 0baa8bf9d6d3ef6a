"""rensa: R-MinHash of whole sets, RMinHashLSH with 16 bands, candidates checked by the sketches."""
import sys

from files import read, write_pairs
from rensa import RMinHash, RMinHashLSH
from words import shingles

HASHES = 128
THRESHOLD = 0.8
BATCH = 4096  # shingles of this many documents are in memory at a time

ids, texts = read(sys.argv[1])
sketches = []
for start in range(0, len(texts), BATCH):
    batch = [shingles(text) for text in texts[start : start + BATCH]]
    sketches += RMinHash.from_token_sets(batch, num_perm=HASHES, seed=42)
index = RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=16)
index.insert_pairs(enumerate(sketches))
pairs = [
    (other, place)
    for place, found in enumerate(index.query_all(sketches))
    for other in found
    if other < place and sketches[place].jaccard(sketches[other]) >= THRESHOLD
]
write_pairs(sys.argv[2], ids, pairs)
