"""
The threshold sampler, batched, in torch: what the runtime does for one window at a time. Sizes of slots come from a fixed
start and from what the model writes, never from the true answer.
"""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch

from attention import additive
from config import (
    END, FIRST_TEXT, MASK, NEVER, PAD_0, PAD_BLOCK, PAD_CYCLE, PASSES, RESP, SLOT_SIZES, SLOTS, START_SIZES, THRESHOLD,
)
from data import clean_blocks
from model import Decoder, View


@dataclass
class Window:
    """One answer being written."""

    row: int
    """Which document of the batch."""
    start: int
    """Position of `<resp>`, which is the length of the prefix."""
    sizes: list[int] = field(default_factory=lambda: [START_SIZES[s] for s in SLOTS])
    ids: list[list[int]] = field(default_factory=lambda: [[MASK] * START_SIZES[s] for s in SLOTS])
    passes: int = 0

    def tokens(self) -> list[int]:
        return [RESP, *(t for slot in self.ids for t in slot)]

    def grow(self, i: int) -> bool:
        """Next trained size for a slot; what is written stays, the new places are masked."""
        larger = [s for s in SLOT_SIZES[SLOTS[i]] if s > self.sizes[i]]
        if not larger:
            return False
        self.ids[i] = self.ids[i] + [MASK] * (larger[0] - self.sizes[i])
        self.sizes[i] = larger[0]
        return True

    def content(self, i: int) -> list[int]:
        """Content of a slot up to its `<end>`, pads dropped."""
        ids = self.ids[i]
        ids = ids[: ids.index(END)] if END in ids else ids
        return [t for t in ids if not PAD_0 <= t < PAD_0 + PAD_CYCLE]


def clean_cache(model: Decoder, docs: list[np.ndarray], device, causal: bool):
    """Keys and values of whole documents under the block-causal (or causal) mask; a prefix of them is exact for every answer."""
    n = max(map(len, docs))
    ids = torch.full((len(docs), n), PAD_0, dtype=torch.long)
    blocks = torch.full((len(docs), n), PAD_BLOCK, dtype=torch.int32)
    for i, doc in enumerate(docs):
        ids[i, : len(doc)] = torch.from_numpy(doc)
        blocks[i, : len(doc)] = torch.from_numpy(clean_blocks(doc, causal).astype(np.int32))
    ids, blocks = ids.to(device), blocks.to(device)
    mask = additive(blocks[:, None, :] <= blocks[:, :, None], model.dtype)
    positions = torch.arange(n, device=device).expand(len(docs), n)
    return model(ids, positions, View(mask))[1]


def one_pass(model: Decoder, cache, windows: list[Window], shift: bool):
    """-> best token and its probability at every place of every window, [R,W] each; places count from `<resp>`."""
    device = model.embed.device
    tokens = [w.tokens() for w in windows]
    width = max(map(len, tokens))
    longest = max(w.start for w in windows)
    ids = torch.tensor([t + [PAD_0] * (width - len(t)) for t in tokens], device=device)
    start = torch.tensor([w.start for w in windows], device=device)
    size = torch.tensor([len(t) for t in tokens], device=device)
    place = torch.arange(width, device=device)
    past_seen = torch.arange(longest, device=device)[None, :] < start[:, None]
    seen = torch.cat((past_seen, place[None, :] < size[:, None]), 1)
    mask = additive(seen[:, None, :].expand(-1, width, -1), model.dtype)
    rows = torch.tensor([w.row for w in windows], device=device)
    past = [(k[rows, :, :longest], v[rows, :, :longest]) for k, v in cache]
    hidden, _ = model(ids, start[:, None] + place, View(mask), past)
    if shift:
        hidden = torch.cat((hidden[:, :1], hidden[:, :-1]), 1)
    logits = model.logits(hidden)
    logits[..., list(NEVER)] = -1e9
    confidence, best = torch.softmax(logits, -1).max(-1)
    return best.cpu().numpy(), confidence.cpu().numpy()


def commit(w: Window, best: np.ndarray, confidence: np.ndarray, threshold: float) -> None:
    """Writes every masked place above the threshold, at least the most certain one."""
    places = [(i, j) for i, slot in enumerate(w.ids) for j, t in enumerate(slot) if t == MASK]
    flat = {}
    at = 1
    for i, size in enumerate(w.sizes):
        for j in range(size):
            flat[i, j] = at + j
        at += size
    top = max(places, key=lambda p: confidence[flat[p]])
    for p in places:
        if p == top or confidence[flat[p]] >= threshold:
            w.ids[p[0]][p[1]] = int(best[flat[p]])


@torch.no_grad()
def sample(model: Decoder, cache, windows: list[Window], shift: bool, threshold: float = THRESHOLD, limit: int = PASSES) -> None:
    """
    Fills all windows. A slot whose last place wants content in a pass over untouched masks is too small and grows before
    anything is written; so does one that is full without `<end>`.
    """
    active = list(windows)
    fresh = {id(w) for w in windows}
    while active:
        best, confidence = one_pass(model, cache, active, shift)
        going = []
        for w, b, c in zip(active, best, confidence):
            w.passes += 1
            grown = False
            if id(w) in fresh:
                ends = np.cumsum(w.sizes)
                grown = any([b[ends[i]] >= FIRST_TEXT and w.grow(i) for i in range(len(SLOTS))])
                if not grown:
                    fresh.discard(id(w))
            if not grown:
                commit(w, b, c, threshold)
                for i, slot in enumerate(w.ids):
                    if MASK not in slot and END not in slot:
                        w.grow(i)
            if w.passes < limit and any(MASK in slot for slot in w.ids):
                going.append(w)
        active = going
