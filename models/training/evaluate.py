"""
Quick greedy evaluation on a packed split, in torch.

    python evaluate.py --corpus DIR --model ar.pt|mdlm.pt [--split test] [--n 300] [--threshold 0.9]

AR: one teacher-forced pass; a slot is exact when every argmax in it (with its `<end>`) is right, which for the observation
is the same as greedy decoding; delta and status are given the true slots before them. MDLM: the real sampler from fully
masked windows, all three slots its own. The judge of record is `npm run eval`; this is for steering a training run.
"""
from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from attention import additive
from checkpoint import load_model
from config import END, NEVER, PADS, PASSES, SLOTS, THRESHOLD, WindowOptions
from data import Split, Vocabulary, answer_mask, ar_batch, responses
from model import Decoder, Pieces, View
from objective import Task
from sampler import Window, clean_cache, sample
from windows import mdlm_batches


class Score:
    """Counts exact slots, over all answers and apart by status and by whether the delta changes anything."""

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary, self.rows, self.misses = vocabulary, [], []

    def add(self, truth: list, right: list[bool], written: list | None = None) -> None:
        status = self.vocabulary.decode(truth[2])
        self.rows.append((*right, status == "ok", self.vocabulary.decode(truth[1]) not in ("", "{}")))
        if written is not None and not all(right):
            self.misses.append([[self.vocabulary.decode(x) for x in t] for t in (truth, written)])

    def result(self) -> dict:
        rows = np.array(self.rows, dtype=bool)
        ok, changed = rows[:, 3], rows[:, 4]
        mean = lambda x: round(float(x.mean()), 4) if len(x) else None
        return {
            "n": len(rows),
            "observation": mean(rows[:, 0]),
            "observationOk": mean(rows[ok, 0]),
            "observationError": mean(rows[~ok, 0]),
            "delta": mean(rows[:, 1]),
            "deltaChanged": mean(rows[changed, 1]),
            "status": mean(rows[:, 2]),
            "all": mean(rows[:, :3].all(1)),
            "okN": int(ok.sum()),
            "changedN": int(changed.sum()),
        }


def documents(split: Split, n: int):
    """The first documents that hold `n` answers, in batches of 16 of similar length."""
    docs, count = [], 0
    for i in range(len(split)):
        docs.append(split.doc(i))
        count += len(responses(docs[-1]))
        if count >= n:
            break
    docs.sort(key=len)
    return [docs[i : i + 16] for i in range(0, len(docs), 16)]


class eager:
    """Runs a model without its compiled parts, so that evaluation's shapes compile nothing; gradients are off."""

    def __init__(self, model: Decoder):
        self.model, self.grad = model, torch.no_grad()

    def __enter__(self):
        self.kept, self.model.pieces = self.model.pieces, Pieces(False)
        self.grad.__enter__()

    def __exit__(self, *error):
        self.model.pieces = self.kept
        self.grad.__exit__(*error)


def evaluate_ar(model: Decoder, split: Split, vocabulary: Vocabulary, n: int) -> dict:
    """Teacher-forced; also which part of the loss lies in digits, and which part of the tokens they are."""
    score, device = Score(vocabulary), model.embed.device
    digit = torch.tensor([vocabulary.tokens.get(i, "").isdigit() for i in range(model.c.vocab)], device=device)
    loss, weights, digits, digit_loss = 0.0, 0, 0, 0.0
    with eager(model):
        for docs in documents(split, n):
            batch = ar_batch(docs, None)
            ids = torch.from_numpy(batch.ids).to(device)
            size = ids.shape[1]
            causal = torch.ones(1, size, size, dtype=torch.bool, device=device).tril()
            hidden, _ = model(ids, torch.arange(size, device=device).expand_as(ids), View(additive(causal, model.dtype)))
            for i, doc in enumerate(docs):
                logits = model.logits(hidden[i, : len(doc) - 1])
                target = ids[i, 1 : len(doc)]
                mask = torch.from_numpy(answer_mask(doc)[1:]).to(device)
                each = torch.nn.functional.cross_entropy(logits[mask], target[mask], reduction="none")
                numeric = digit[target[mask]]
                loss, weights = loss + float(each.sum()), weights + int(mask.sum())
                digit_loss, digits = digit_loss + float(each[numeric].sum()), digits + int(numeric.sum())
                logits[:, [*NEVER, *PADS]] = -1e9
                hit = (logits.argmax(-1) == target).cpu().numpy()
                for answer in responses(doc):
                    at, right = answer.start, []
                    for content in answer.slots:
                        right.append(bool(hit[at : at + len(content) + 1].all()))
                        at += len(content) + 1
                    score.add(answer.slots, right)
    part = lambda a, b: round(a / b, 4) if b else None
    shares = {"digitLoss": part(digit_loss, loss), "digits": part(digits, weights)}
    return {"loss": round(loss / max(1, weights), 4), **shares, **score.result()}


def noisy_loss(model: Decoder, split: Split, vocabulary: Vocabulary, shift: bool, causal: bool, batches: int = 8) -> float:
    """
    Mean loss over the masked tokens of fixed noisy windows of a split: the same documents, masks and window options for every
    model, whatever it was trained with. Unlike exact answers it tells two short runs apart.
    """
    task = Task("mdlm", shift, model.embed.device)
    stream = mdlm_batches(split, vocabulary.punctuation, np.random.default_rng(0), 8000, WindowOptions(causal=causal))
    total = weight = 0.0
    with eager(model):
        for _ in range(batches):
            batch = next(stream)
            total += float(task.loss(model, batch))
            weight += float(batch.weight.sum())
    return round(total / weight, 4)


def evaluate_mdlm(
    model: Decoder,
    split: Split,
    vocabulary: Vocabulary,
    n: int,
    shift: bool,
    causal: bool = False,
    threshold: float = THRESHOLD,
    show: int = 0,
    limit: int = PASSES,
) -> dict:
    score, device, passes, overfull = Score(vocabulary), model.embed.device, [], 0
    with eager(model):
        for docs in documents(split, n):
            cache = clean_cache(model, docs, device, causal)
            found = [(i, a) for i, doc in enumerate(docs) for a in responses(doc)]
            windows = [Window(i, a.start) for i, a in found]
            sample(model, cache, windows, shift, threshold, limit)
            for (_, answer), w in zip(found, windows):
                written = [w.content(i) for i in range(len(SLOTS))]
                score.add(answer.slots, [x == t.tolist() for x, t in zip(written, answer.slots)], written)
                passes.append(w.passes)
                overfull += any(END not in slot for slot in w.ids)
    for truth, written in score.misses[:: max(1, len(score.misses) // show)][:show] if show else []:
        print(json.dumps({"true": truth, "written": written}))
    loss = noisy_loss(model, split, vocabulary, shift, causal)
    return {"loss": loss, **score.result(), "passes": round(float(np.mean(passes)), 2), "withoutEnd": overfull}


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--model", type=Path, required=True, help="checkpoint (.pt) or a model folder")
    ask.add_argument("--split", default="test")
    ask.add_argument("--n", type=int, default=300)
    ask.add_argument("--threshold", type=float, default=THRESHOLD)
    ask.add_argument("--show", type=int, default=0, help="print so many wrong answers (MDLM)")
    ask.add_argument("--fp32", action="store_true")
    ask.add_argument("--as-ar", action="store_true", help="read an MDLM with a causal prefix as an AR model")
    args = ask.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model, info = load_model(args.model, torch.float32 if args.fp32 else torch.bfloat16)
    model.to(device)
    split, vocabulary = Split(args.corpus / f"{args.split}.bin"), Vocabulary(args.corpus / "tokenizer.json")
    began = time.time()
    if info["kind"] == "ar" or args.as_ar:
        result = evaluate_ar(model, split, vocabulary, args.n)
    else:
        how = (info["shift"], info["causal"], args.threshold, args.show)
        result = evaluate_mdlm(model, split, vocabulary, args.n, *how)
    print(json.dumps({"kind": info["kind"], "split": args.split, **result, "seconds": round(time.time() - began, 1)}))


if __name__ == "__main__":
    main()
