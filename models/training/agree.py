"""
Whether the fast evaluation in torch says what `npm run eval` says: the same answers, on the same transitions.

    npm run corpus -- --out DIR --size 2000 --seed 1 --tokenizer models/ar/tokenizer.json
    npm run -s eval -- --split test --n 100 --seed 1 --sampler threshold --rows ROWS
    python agree.py --corpus DIR --rows ROWS [--folder ../ar] [--folder ../mdlm]

The corpus must have the seed of the evaluation. Compares the texts of all three slots; prints one line of JSON a model.
Answers differ where two logits are nearly equal (fp32 sums in another order) and nowhere else.
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


def answer_all(model, info: dict, items: list[tuple[np.ndarray, Response]], vocabulary: Vocabulary, threshold: float):
    """-> texts of the slots of every answer, in order."""
    order = sorted(range(len(items)), key=lambda i: items[i][1].start)
    out: list[list[str] | None] = [None] * len(items)
    with eager(model):
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            if info["kind"] == "ar":
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
    ask.add_argument("--threshold", type=float, default=0.9)
    ask.add_argument("--show", type=int, default=0, help="print so many answers that differ")
    ask.add_argument("--threads", type=int, default=2)
    args = ask.parse_args()
    torch.set_num_threads(args.threads)
    rows = [json.loads(line) for line in args.rows.read_text().splitlines()]
    split, vocabulary = Split(args.corpus / f"{args.split}.bin"), Vocabulary(args.corpus / "tokenizer.json")
    for folder in args.folder or [Path("../ar"), Path("../mdlm")]:
        model, info = load_model(folder, torch.float32)
        own = [r for r in rows if r["model"] == info["kind"]]
        items = first_answers(split, len(own))
        began = time.time()
        texts = answer_all(model, info, items, vocabulary, args.threshold)
        seconds = time.time() - began
        same = [all(t == (r["text"][s] or "") for t, s in zip(text, SLOTS)) for text, r in zip(texts, own)]
        exact = sum(text == [vocabulary.decode(x) for x in answer.slots] for text, (_, answer) in zip(texts, items))
        print(json.dumps({"kind": info["kind"], "n": len(own), "sameText": sum(same), "textExact": exact, "seconds": round(seconds, 1)}))
        for i in [i for i, ok in enumerate(same) if not ok][: args.show]:
            print(json.dumps({"torch": texts[i], "runtime": own[i]["text"]}))


if __name__ == "__main__":
    main()
