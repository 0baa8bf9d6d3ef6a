"""JSON lines → ids and texts; pairs or kept documents → the files that are scored, kept.txt and pairs.tsv."""
import os

import orjson


def read(corpus):
    ids, texts = [], []
    with open(corpus, "rb") as lines:
        for line in lines:
            document = orjson.loads(line)
            ids.append(document["id"])
            texts.append(document["text"])
    return ids, texts


def write_kept(out, kept):
    with open(os.path.join(out, "kept.txt"), "w") as file:
        file.writelines(f"{id}\n" for id in kept)


def write_pairs(out, ids, pairs):
    """Pairs of places in `ids`, the earlier first. Kept is what has no earlier partner."""
    with open(os.path.join(out, "pairs.tsv"), "w") as file:
        file.writelines(f"{ids[a]}\t{ids[b]}\n" for a, b in pairs)
    removed = {b for _, b in pairs}
    write_kept(out, (id for place, id in enumerate(ids) if place not in removed))
