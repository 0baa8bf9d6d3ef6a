"""datatrove: the four steps of its MinHash example on all cores, 9 buckets of 13 hashes for 0.8; nothing is checked."""
import os
import sys
from glob import glob

import orjson
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.hashing import HashConfig
from datatrove.utils.text import TextNormConfig
from datatrove.utils.word_tokenizers import WordTokenizer
from files import write_kept
from words import words

BUCKETS = 9
WORKERS = os.cpu_count()


class SharedWords(WordTokenizer):
    """The words of all runners, in place of its own, which come from spaCy and take longer."""

    def word_tokenize(self, text):
        return words(text)

    def sent_tokenize(self, text):
        raise NotImplementedError("MinHash needs no sentences")

    def span_tokenize(self, text):
        raise NotImplementedError("MinHash needs no sentences")


def main(corpus, out):
    split_lines(corpus, os.path.join(out, "in"))
    as_is = TextNormConfig(False, False, False, False, False)
    config = MinhashConfig(
        n_grams=5,
        num_buckets=BUCKETS,
        hashes_per_bucket=13,
        norm_config=as_is,
        hash_config=HashConfig(precision=64, hash_fc="xxhash"),
    )
    reader = JsonlReader(os.path.join(out, "in"))
    signatures, buckets, removed, kept = (os.path.join(out, step) for step in ("signatures", "buckets", "removed", "kept"))

    def run(name, pipeline, tasks):
        logs = os.path.join(out, "logs", name)
        LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=min(tasks, WORKERS), logging_dir=logs).run()

    run("signatures", [reader, MinhashDedupSignature(signatures, config, language=SharedWords())], WORKERS)
    run("buckets", [MinhashDedupBuckets(signatures, buckets, config=config)], BUCKETS)
    run("cluster", [MinhashDedupCluster(buckets, removed, config=config)], 1)
    run("filter", [reader, MinhashDedupFilter(removed), JsonlWriter(kept, compression=None)], WORKERS)
    write_kept(out, kept_ids(kept))


def split_lines(corpus, folder):
    """It works in parallel by files: one for each worker, in the order of the corpus."""
    os.makedirs(folder)
    size = os.path.getsize(corpus)
    with open(corpus, "rb") as lines:
        for worker in range(WORKERS):
            with open(os.path.join(folder, f"{worker:05d}.jsonl"), "wb") as part:
                while lines.tell() < size * (worker + 1) // WORKERS:
                    part.write(lines.readline())


def kept_ids(folder):
    for name in sorted(glob(os.path.join(folder, "*.jsonl"))):
        with open(name, "rb") as lines:
            for line in lines:
                yield orjson.loads(line)["id"]


if __name__ == "__main__":
    main(*sys.argv[1:])
