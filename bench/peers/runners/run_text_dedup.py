"""text-dedup: its MinHash command on all cores, with its own words and the bands it chooses; nothing is checked."""
import os
import subprocess
import sys

from datasets import load_from_disk
from files import write_kept


def main(corpus, out):
    result = os.path.join(out, "result")
    command = [sys.executable, "-m", "text_dedup.minhash"]
    data = ["--path", "json", "--data_files", corpus, "--split", "train", "--column", "text"]
    places = ["--cache_dir", os.path.join(out, "cache"), "--output", result]
    # Without --min_length 0 it drops texts of less than 5 words; xxh3 is the faster of its hashes.
    settings = ["--ngram", "5", "--min_length", "0", "--num_perm", "128", "--threshold", "0.8"]
    speed = ["--hash_func", "xxh3", "--num_proc", str(os.cpu_count())]
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": os.path.join(out, "home")}
    subprocess.run([*command, *data, *places, *settings, *speed], env={**os.environ, **offline}, check=True)
    write_kept(out, load_from_disk(result)["id"])


if __name__ == "__main__":
    main(*sys.argv[1:])
