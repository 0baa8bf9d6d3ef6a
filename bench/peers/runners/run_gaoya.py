"""gaoya: its own words (split at ASCII punctuation and space) and shingles in Rust, on all cores; 16 bands of 8, checked by the sketches."""
import sys

from files import read, write_pairs
from gaoya.minhash import MinHashStringIndex

ids, texts = read(sys.argv[1])
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=0.8,
    num_bands=16,
    band_size=8,
    analyzer="word",
    lowercase=True,
    ngram_range=(5, 5),
    id_container="smallvec",
)
index.par_bulk_insert_docs(list(range(len(ids))), texts)
found = index.par_bulk_query(texts)
write_pairs(sys.argv[2], ids, [(other, place) for place, others in enumerate(found) for other in others if other < place])
