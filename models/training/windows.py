"""
Batches for MDLM training: the clean stream of a document and, behind it, noisy copies of some of its answers in their
windows. A copy sees the clean blocks before its own and itself; clean tokens see their block and those before (with a
causal prefix, the tokens before).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np

from config import (
    DRAFT_SIZES, END, FIRST_TEXT, MASK, PAD_0, PAD_BLOCK, PAD_CYCLE, POOLS, RESP, SLOT_SIZES, SLOTS, START_SIZES, WindowOptions,
)
from data import Response, Split, answer_mask, clean_blocks, padded_length, pool_stream, responses


def pads(n: int) -> np.ndarray:
    return PAD_0 + np.arange(n) % PAD_CYCLE


def slot_size(slot: str, n: int, rng: np.random.Generator, o: WindowOptions) -> int:
    """A trained size; `n` is the length of the content (which needs one place more for its `<end>`)."""
    sizes = SLOT_SIZES[slot]
    fits = [s for s in sizes if s > n]
    small = [s for s in sizes if s <= n]
    if not fits or (small and rng.random() < o.overflow):
        return int(rng.choice(small))
    u = rng.random()
    if u < o.start_sizes:
        return max(fits[0], START_SIZES[slot])
    return fits[0] if u < o.start_sizes + 0.5 * (1 - o.start_sizes) else int(rng.choice(fits))


def with_elastic(content: np.ndarray, punctuation: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Content with one to three pads before or after a token of JSON punctuation."""
    at = np.flatnonzero(punctuation[content])
    if not len(at):
        return content
    where = int(rng.choice(at)) + int(rng.integers(2))
    return np.concatenate((content[:where], pads(int(rng.integers(1, 4))), content[where:]))


def fill_window(answer: Response, punctuation: np.ndarray, rng: np.random.Generator, o: WindowOptions):
    """-> the true tokens of a window with sizes chosen at random, and the slot of every token (-1 for `<resp>`)."""
    elastic = int(rng.integers(2)) if rng.random() < o.elastic else -1
    parts, slots = [np.array([RESP])], [np.array([-1])]
    for i, (name, content) in enumerate(zip(SLOTS, answer.slots)):
        if i == elastic:
            wider = with_elastic(content, punctuation, rng)
            content = wider if len(wider) < SLOT_SIZES[name][-1] else content
        size = slot_size(name, len(content), rng, o)
        body = content[:size]
        if len(body) < size:
            body = np.concatenate((body, [END], pads(size - len(body) - 1)))
        parts.append(body)
        slots.append(np.full(size, i))
    return np.concatenate(parts), np.concatenate(slots)


def masks(truth: np.ndarray, slots: np.ndarray, t: float, rng: np.random.Generator, o: WindowOptions) -> list[np.ndarray]:
    """Which tokens are masked, for each noisy copy of one window. Never empty."""
    free = slots >= 0
    if rng.random() < o.full:
        prefix = np.zeros(len(truth), dtype=bool)
        for i in range(len(SLOTS)):
            at = np.flatnonzero(slots == i)
            prefix[at[int(rng.integers(len(at) + 1)) :]] = True
        if rng.random() < 0.5:
            prefix &= truth >= FIRST_TEXT
        both = [free, prefix]
    else:
        first = free & (rng.random(len(truth)) < t)
        for i in range(len(SLOTS)):
            if rng.random() < o.reveal_pads:
                first &= ~((slots == i) & (truth < FIRST_TEXT))
        both = [first, free & ~first]
    if o.single:
        both = both[:1]
    return [m for m in both if m.any()] or [free]


@dataclass
class Noisy:
    """Tokens with masks among them that follow the first `start` clean tokens of a document (and see those of lower blocks)."""

    start: int
    block: int
    truth: np.ndarray
    mask: np.ndarray
    weight: np.ndarray
    """Of predicting `truth` at each place."""


def window_copy(answer: Response, truth: np.ndarray, mask: np.ndarray, o: WindowOptions) -> Noisy:
    weight = mask * np.where((truth >= FIRST_TEXT) | (truth == END), 1.0, o.pad_weight)
    return Noisy(answer.start, answer.start if o.causal else answer.block, truth, mask, weight)


def draft(doc: np.ndarray, end: int, start: int, size: int) -> Noisy:
    """`size` masks at `start` of an answer that ends before `end`. The first one is not asked for: with a shifted output
    the clean token before it predicts it. What would lie behind the answer counts nothing."""
    truth = doc[start : min(start + size, end)]
    weight = np.zeros(size)
    weight[1 : len(truth)] = 1.0
    return Noisy(start, start, np.concatenate((truth, pads(size - len(truth)))), np.ones(size, dtype=bool), weight)


@dataclass
class MdlmBatch:
    """Rows hold clean tokens up to `split`, then windows; both parts are padded with block PAD_BLOCK."""

    ids: np.ndarray
    positions: np.ndarray
    blocks: np.ndarray
    window: np.ndarray
    """Number of the window a token belongs to; 0 for clean tokens, negative for padding."""
    split: int
    target: np.ndarray
    weight: np.ndarray
    """Of predicting `target` at a masked token; 0 elsewhere."""
    tokens: int

    def visible(self, torch, device):
        """The two boolean masks of model.View, [B,L,L] and [B,N,L+N], as torch tensors."""
        blocks = torch.from_numpy(self.blocks.astype(np.int32)).to(device)
        window = torch.from_numpy(self.window.astype(np.int32)).to(device)
        n = self.split
        clean = blocks[:, None, :n] <= blocks[:, :n, None]
        before = blocks[:, None, :n] < blocks[:, n:, None]
        own = window[:, None, n:] == window[:, n:, None]
        return clean, torch.cat((before & (blocks[:, None, :n] < PAD_BLOCK), own), 2)


class Row:
    """One document with noisy copies of answers, then drafts, before padding. The clean stream ends where nothing needs it."""

    def __init__(self, doc, punctuation, rng, options: WindowOptions, level: "Levels"):
        answers = responses(doc)
        self.noisy: list[Noisy] = []
        end = self.used = 0
        for j in rng.permutation(len(answers)):
            truth, slots = fill_window(answers[j], punctuation, rng, options)
            copies = masks(truth, slots, level.next() ** options.mask_power, rng, options)
            if self.noisy and self.used + len(truth) * len(copies) > options.cap * (1 - options.drafts):
                break
            end = max(end, answers[j].start)
            for mask in copies:
                self.add(window_copy(answers[j], truth, mask, options))
        if options.drafts:
            ends = [a.start + 1 + sum(len(s) + 1 for s in a.slots) for a in answers]
            places = [(e, s) for a, e in zip(answers, ends) for s in range(a.start + 1, e - 1)]
            left = options.cap * options.drafts
            for j in rng.permutation(len(places)):
                size = int(rng.choice(DRAFT_SIZES))
                left -= size
                if left < 0:
                    break
                self.add(draft(doc, *places[j], size))
            end = ends[-1]
        self.clean = doc[:end]

    def add(self, copy: Noisy) -> None:
        self.noisy.append(copy)
        self.used += len(copy.truth)


class Levels:
    """Mask rates spread evenly over (0, 1): a random start, then steps of the golden ratio."""

    def __init__(self, rng: np.random.Generator):
        self.value = rng.random()

    def next(self) -> float:
        self.value = (self.value + 0.6180339887498949) % 1.0
        return self.value


def mdlm_batch(rows: list[Row], options: WindowOptions) -> MdlmBatch:
    n = padded_length(max(len(r.clean) for r in rows))
    m = (max(r.used for r in rows) + 7) // 8 * 8
    if (n + m) % 256 == 0:
        m += 8
    b, width = len(rows), n + m
    ids = np.full((b, width), PAD_0, dtype=np.int64)
    target = np.full((b, width), PAD_0, dtype=np.int64)
    positions = np.zeros((b, width), dtype=np.int64)
    blocks = np.full((b, width), PAD_BLOCK, dtype=np.int64)
    window = np.full((b, width), -1, dtype=np.int64)
    weight = np.zeros((b, width), dtype=np.float32)
    for i, row in enumerate(rows):
        k = len(row.clean)
        ids[i, :k], positions[i, :k], window[i, :k] = row.clean, np.arange(k), 0
        blocks[i, :k] = clean_blocks(row.clean, options.causal)
        if options.clean:
            target[i, :k], weight[i, :k] = row.clean, options.clean * answer_mask(row.clean)
        at = n
        for w, copy in enumerate(row.noisy, 1):
            size = len(copy.truth)
            here = slice(at, at + size)
            ids[i, here] = np.where(copy.mask, MASK, copy.truth)
            target[i, here] = copy.truth
            positions[i, here] = copy.start + np.arange(size)
            blocks[i, here], window[i, here] = copy.block, w
            weight[i, here] = copy.weight
            at += size
    return MdlmBatch(ids, positions, blocks, window, n, target, weight, sum(len(r.clean) + r.used for r in rows))


def mdlm_batches(split: Split, punctuation, rng: np.random.Generator, budget: int, options: WindowOptions) -> Iterator[MdlmBatch]:
    """Endless training batches of about `budget` padded tokens."""
    levels = Levels(rng)
    for picked in pool_stream(split, rng, POOLS["mdlm"]):
        rows = [Row(split.doc(j), punctuation, rng, options, levels) for j in picked]
        rows.sort(key=lambda r: r.used)
        chunk = max(1, len(rows) // 8)
        batches = []
        for start in range(0, len(rows), chunk):
            group = sorted(rows[start : start + chunk], key=lambda r: len(r.clean))
            while group:
                size = max(1, min(len(group), budget // (len(group[-1].clean) + max(r.used for r in group) + 8)))
                batches.append(group[-size:])
                del group[-size:]
        rng.shuffle(batches)
        for group in batches:
            yield mdlm_batch(group, options)
