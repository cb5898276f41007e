"""
The packed corpus: documents out of one uint16 stream, and batches for AR training. Rows are documents of about one
length, padded at the end, so that a plain causal mask separates them; packing several into a row cost twice the time.
"""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import numpy as np

from config import END, PAD_0, POOLS, PUNCTUATION, RESP, RULES, TURN, Run


@dataclass
class Response:
    """One answer inside a document: where its `<resp>` stands, its block, and the content of its three slots."""

    start: int
    block: int
    slots: list[np.ndarray]


class Split:
    """Documents of one `.bin` file."""

    def __init__(self, path: Path, limit: int | None = None):
        self.ids = np.memmap(path, dtype="<u2", mode="r")
        self.starts = np.flatnonzero(self.ids == RULES)
        if limit:
            self.starts = self.starts[: limit + 1]
        ends = np.append(self.starts[1:], len(self.ids))
        if limit and len(self.starts) > limit:
            self.starts, ends = self.starts[:limit], ends[:limit]
        self.ends = ends
        self.lengths = ends - self.starts

    def __len__(self) -> int:
        return len(self.starts)

    def doc(self, i: int) -> np.ndarray:
        return np.asarray(self.ids[self.starts[i] : self.ends[i]], dtype=np.int64)


class Vocabulary:
    """What training needs of a `tokenizer.json`: the bytes of tokens, and which are JSON punctuation only."""

    def __init__(self, path: Path):
        vocab = json.loads(path.read_text())["model"]["vocab"]
        self.tokens = {i: token for token, i in vocab.items()}
        self.punctuation = np.zeros(65536, dtype=bool)
        for token, i in vocab.items():
            self.punctuation[i] = bool(token) and set(token) <= PUNCTUATION
        printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
        rest = [b for b in range(256) if b not in printable]
        self.bytes = {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(rest)}

    def decode(self, ids) -> str:
        chars = "".join(self.tokens.get(int(i), "") for i in ids if i > RESP)
        return bytes(self.bytes[c] for c in chars).decode("utf-8", "replace")


def block_ids(doc: np.ndarray) -> np.ndarray:
    """Block of every token: 0 for the world, then one more at every `<turn>` and `<resp>`."""
    return np.cumsum((doc == TURN) | (doc == RESP))


def clean_blocks(doc: np.ndarray, causal: bool) -> np.ndarray:
    """Blocks of clean tokens as an MDLM's attention counts them: with a causal prefix each token is a block of its own."""
    return np.arange(len(doc)) if causal else block_ids(doc)


def responses(doc: np.ndarray) -> list[Response]:
    """Whole answers of a document (an answer without its three `<end>` would be a fault of the corpus: refused)."""
    found = []
    blocks = block_ids(doc)
    for start in np.flatnonzero(doc == RESP):
        ends = np.flatnonzero(doc[start:] == END)[:3] + start
        if len(ends) < 3:
            raise ValueError("an answer without three <end>")
        edges = (start, *ends)
        slots = [doc[a + 1 : b] for a, b in zip(edges, edges[1:])]
        found.append(Response(int(start), int(blocks[start]), slots))
    return found


def answer_mask(doc: np.ndarray) -> np.ndarray:
    """True at the tokens of answers behind `<resp>`: what a model has to write."""
    return (block_ids(doc) % 2 == 0) & (block_ids(doc) > 0) & (doc != RESP)


def padded_length(n: int) -> int:
    """Up to a multiple of 8, but not to one of 512: rows of scores a power of two apart share cache lines' sets."""
    n = (n + 7) // 8 * 8
    return n + 8 if n % 512 == 0 else n


def length_batches(lengths: np.ndarray, budget: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Indices in batches of similar length with at most `budget` padded tokens each, in random order."""
    order = np.argsort(lengths + rng.uniform(0, 8, len(lengths)))
    batches, start = [], 0
    while start < len(order):
        size = 1
        while start + size < len(order):
            longest = padded_length(int(lengths[order[start : start + size + 1]].max()))
            if longest * (size + 1) > budget:
                break
            size += 1
        batches.append(order[start : start + size])
        start += size
    rng.shuffle(batches)
    return batches


def pool_stream(split: Split, rng: np.random.Generator, pool: int) -> Iterator[np.ndarray]:
    """Endless pools of document indices; every epoch is a new permutation."""
    while True:
        order = rng.permutation(len(split))
        for i in range(0, len(order), pool):
            yield order[i : i + pool]


@dataclass
class ArBatch:
    ids: np.ndarray
    """[B,L]"""
    weight: np.ndarray
    """[B,L]: weight of the prediction made at each position, that is of the next token."""
    tokens: int
    """Tokens that are not padding."""


def ar_batch(docs: list[np.ndarray], rng: np.random.Generator | None, other: float = 0.0, keep: float = 1.0) -> ArBatch:
    """Answers weigh 1; a random part `keep` of the other tokens weighs `other / keep`, so `other` on average."""
    length = padded_length(max(map(len, docs)))
    ids = np.full((len(docs), length), PAD_0, dtype=np.int64)
    weight = np.zeros((len(docs), length), dtype=np.float32)
    for i, doc in enumerate(docs):
        ids[i, : len(doc)] = doc
        answer = answer_mask(doc)[1:]
        weight[i, : len(doc) - 1] = answer
        if other and rng is not None:
            extra = ~answer & (doc[1:] != RESP) & (rng.random(len(answer)) < keep)
            weight[i, : len(doc) - 1][extra] = other / keep
    return ArBatch(ids, weight, sum(map(len, docs)))


def ar_batches(split: Split, rng: np.random.Generator, run: Run) -> Iterator[ArBatch]:
    """Endless training batches."""
    for picked in pool_stream(split, rng, POOLS["ar"]):
        for group in length_batches(split.lengths[picked], run.micro_tokens, rng):
            yield ar_batch([split.doc(picked[j]) for j in group], rng, run.other, run.other_keep)
