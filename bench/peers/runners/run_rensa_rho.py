"""rensa's fastest way, the one of its own benchmark: rho sketches of sampled shingles, 8 bands, duplicates flagged at once."""
import sys

from files import read, write_kept
from rensa import RMinHash, RMinHashLSH
from words import shingles

HASHES = 128

ids, texts = read(sys.argv[1])
matrix = RMinHash.digest_matrix_from_token_sets_rho([shingles(text) for text in texts], num_perm=HASHES, seed=42)
index = RMinHashLSH(threshold=0.8, num_perm=HASHES, num_bands=8)
flags = index.query_duplicate_flags_matrix_one_shot(matrix)
write_kept(sys.argv[2], (id for id, duplicate in zip(ids, flags) if not duplicate))
