"""JSON lines → all pairs at or above a threshold, in plain numpy and without a hash: a second opinion on the truth.

    exact_pairs.py CORPUS THRESHOLD DOCUMENTS OUT      the first DOCUMENTS lines; OUT gets lines `a<TAB>b<TAB>resemblance`

Nothing is shared with neardup. Equal shingles get equal numbers by naming runs of 2, 3, 4 and 5 words one after the other.
If |A∩B| / |A∪B| ≥ t, then |A∩B| ≥ t·|A| and ≥ t·|B|; so with both sets in one order, the first |A| − ⌈t·|A|⌉ + 1 of A and the
like of B share an element. With rare shingles first in that order, few other pairs do.
"""
import sys
from itertools import combinations, islice

import numpy as np
import orjson
from words import SHINGLE, words


def main(corpus, threshold, documents, out):
    ids, texts = read_words(corpus, documents)
    document, shingle = shingle_numbers(texts)
    document, shingle, starts = sorted_by_rarity(document, shingle, len(ids))
    sizes = np.diff(starts)
    sets = [set(shingle[starts[i] : starts[i + 1]].tolist()) for i in range(len(ids))]
    with open(out, "w") as file:
        for a, b in sorted(candidates(document, shingle, starts, sizes, threshold)):
            shared = len(sets[a] & sets[b])
            resemblance = shared / (len(sets[a]) + len(sets[b]) - shared)
            if resemblance >= threshold:
                file.write(f"{ids[a]}\t{ids[b]}\t{resemblance!r}\n")


def read_words(corpus, documents):
    """Ids, and each text as numbers of its words."""
    numbers = {}
    ids, texts = [], []
    with open(corpus, "rb") as lines:
        for line in islice(lines, documents):
            parsed = orjson.loads(line)
            ids.append(parsed["id"])
            texts.append([numbers.setdefault(word, len(numbers) + 1) for word in words(parsed["text"])])
    return ids, texts


def shingle_numbers(texts):
    """Two columns, document and shingle. A text of 1 to 4 words is one shingle: filled up with 0, which is no word."""
    padded = [text + [0] * (SHINGLE - len(text)) if text else text for text in texts]
    word = np.array([number for text in padded for number in text], dtype=np.int64)
    lengths = np.array([len(text) for text in padded], dtype=np.int64)
    counts = np.maximum(lengths - SHINGLE + 1, 0)
    document = np.repeat(np.arange(len(texts)), counts)
    first = np.cumsum(lengths) - lengths
    at = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    run = word[at]
    for further in range(1, SHINGLE):
        run = np.unique(run * (word.max() + 1) + word[at + further], return_inverse=True)[1]
    return document, run


def sorted_by_rarity(document, shingle, documents):
    """Each document's distinct shingles, those in the fewest documents first, and where each document starts."""
    kinds = int(shingle.max()) + 1
    distinct = np.unique(document * kinds + shingle)
    document, shingle = distinct // kinds, distinct % kinds
    order = np.lexsort((shingle, np.bincount(shingle)[shingle], document))
    starts = np.concatenate([[0], np.cumsum(np.bincount(document, minlength=documents))])
    return document[order], shingle[order], starts


def candidates(document, shingle, starts, sizes, threshold):
    """Pairs of documents that share one of their first shingles and whose sizes allow the threshold."""
    # A little less than t·|A|, so that rounding can only make a prefix longer.
    prefix = sizes - np.ceil(threshold * sizes - 1e-9).astype(np.int64) + 1
    first = np.arange(len(shingle)) - starts[document] < prefix[document]
    document, shingle = document[first], shingle[first]
    order = np.lexsort((document, shingle))
    document, shingle = document[order], shingle[order]
    edges = np.concatenate([[0], np.flatnonzero(np.diff(shingle)) + 1, [len(shingle)]])
    found = set()
    sizes = sizes.tolist()
    for group in np.flatnonzero(np.diff(edges) > 1):
        for a, b in combinations(document[edges[group] : edges[group + 1]].tolist(), 2):
            if min(sizes[a], sizes[b]) >= threshold * max(sizes[a], sizes[b]) - 1e-9:
                found.add((a, b))
    return found


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
