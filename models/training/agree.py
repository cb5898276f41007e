"""
Whether the fast evaluation in torch says what `npm run eval` says: the same answers, on the same transitions.

    npm run corpus -- --out DIR --size 2000 --seed 1 --tokenizer models/ar/tokenizer.json
    npm run -s eval -- --split test --n 100 --seed 1 --sampler SAMPLER --rows ROWS
    python agree.py --corpus DIR --rows ROWS --sampler SAMPLER [--folder ../ar] [--folder ../mdlm]

SAMPLER is that of the MDLM: `threshold`, or `speculative`, which has to write what writing one token at a time gives (decision
0011), so here it is written so. The corpus must have the seed of the evaluation. Compares the texts of all three slots; prints
one line of JSON a model: `sameText` counts equal answers, `sameScore` those that both find exact or both do not, which falls where rows and
documents do not belong together. Answers differ where two logits are nearly equal (fp32 sums in another order) and nowhere else;
ends with 1 where more than one of a hundred does.
"""
from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

import greedy
from checkpoint import load_model
from config import SLOTS
from data import Response, Split, Vocabulary, responses
from evaluate import eager
from sampler import Window, clean_cache, sample

BATCH = 32


def first_answers(split: Split, n: int) -> list[tuple[np.ndarray, Response]]:
    """The first `n` answers in the order of the trajectories, each with its document."""
    found: list[tuple[np.ndarray, Response]] = []
    for i in range(len(split)):
        doc = split.doc(i)
        found += [(doc, answer) for answer in responses(doc)]
        if len(found) >= n:
            return found[:n]
    raise SystemExit(f"the corpus has only {len(found)} answers; make a larger one")


def answer_all(model, info: dict, items: list[tuple[np.ndarray, Response]], vocabulary: Vocabulary, threshold: float | None):
    """-> texts of the slots of every answer, in order; without a threshold one token at a time."""
    order = sorted(range(len(items)), key=lambda i: items[i][1].start)
    out: list[list[str] | None] = [None] * len(items)
    with eager(model):
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            if threshold is None:
                texts = [greedy.slots(t, vocabulary) for t in greedy.decode(model, [items[i][0][: items[i][1].start] for i in part])]
            else:
                docs = [items[i][0] for i in part]
                windows = [Window(row, items[i][1].start) for row, i in enumerate(part)]
                sample(model, clean_cache(model, docs, model.embed.device, info["causal"]), windows, info["shift"], threshold)
                texts = [[vocabulary.decode(w.content(s)) for s in range(len(SLOTS))] for w in windows]
            for i, text in zip(part, texts):
                out[i] = text
    return out


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--rows", type=Path, required=True, help="what `npm run eval -- --rows` wrote")
    ask.add_argument("--folder", type=Path, action="append")
    ask.add_argument("--split", default="test")
    ask.add_argument("--sampler", choices=("threshold", "speculative"), default="speculative")
    ask.add_argument("--threshold", type=float, default=0.9)
    ask.add_argument("--show", type=int, default=0, help="print so many answers that differ")
    ask.add_argument("--threads", type=int, default=2)
    args = ask.parse_args()
    torch.set_num_threads(args.threads)
    rows = [json.loads(line) for line in args.rows.read_text().splitlines()]
    split, vocabulary = Split(args.corpus / f"{args.split}.bin"), Vocabulary(args.corpus / "tokenizer.json")
    agreed = True
    for folder in args.folder or [Path("../ar"), Path("../mdlm")]:
        model, info = load_model(folder, torch.float32)
        own = [r for r in rows if r["model"] == info["kind"]]
        items = first_answers(split, len(own))
        began = time.time()
        one_by_one = info["kind"] == "ar" or args.sampler == "speculative"
        texts = answer_all(model, info, items, vocabulary, None if one_by_one else args.threshold)
        seconds = time.time() - began
        same = [all(t == (r["text"][s] or "") for t, s in zip(text, SLOTS)) for text, r in zip(texts, own)]
        exact = [text == [vocabulary.decode(x) for x in answer.slots] for text, (_, answer) in zip(texts, items)]
        scores = [e == bool(r["answerExact"]) for e, r in zip(exact, own)]
        agreed &= sum(same) >= 0.99 * len(own)
        counts = {"n": len(own), "sameText": sum(same), "sameScore": sum(scores), "textExact": sum(exact)}
        print(json.dumps({"kind": info["kind"], **counts, "seconds": round(seconds, 1)}))
        for i in [i for i, ok in enumerate(same) if not ok][: args.show]:
            print(json.dumps({"torch": texts[i], "runtime": own[i]["text"]}))
    raise SystemExit(not agreed)


if __name__ == "__main__":
    main()
