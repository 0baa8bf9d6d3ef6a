"""datasketch, one document at a time, in memory: sketch, query, insert. Prints documents a second."""
import json
import sys
import time

from datasketch import MinHash, MinHashLSH
from run_datasketch import HASHES, THRESHOLD, hash_values, permutations, settings


def main(corpus, count):
    with open(corpus, encoding="utf-8") as lines:
        documents = [json.loads(line) for _, line in zip(range(int(count)), lines)]
    index = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
    start = time.perf_counter()
    for document in documents:
        sketch = MinHash(hashvalues=hash_values(document["text"]), permutations=permutations, **settings)
        index.query(sketch)
        index.insert(document["id"], sketch, check_duplication=False)
    print(round(len(documents) / (time.perf_counter() - start)))


if __name__ == "__main__":
    main(*sys.argv[1:])
