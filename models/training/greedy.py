"""
Greedy decoding of an AR model, batched, in torch: what the runtime does for one answer at a time. A model writes all three
slots itself; nothing of the true answer is seen.
"""
from __future__ import annotations

import numpy as np
import torch

from attention import additive
from config import END, NEVER, PADS, RESP, SLOT_SIZES, SLOTS
from data import Vocabulary
from model import Decoder, View

MOST = sum(max(SLOT_SIZES[s]) for s in SLOTS)
"""Tokens of an answer at most, as in src/models/autoregressive/answer.ts."""


@torch.no_grad()
def decode(model: Decoder, prompts: list[np.ndarray]) -> list[list[int]]:
    """
    Tokens behind `<resp>` for each prompt (which does not hold it), up to the third `<end>` or MOST tokens. Prompts are
    padded on the left, with positions of their own, so that all rows grow at the same column.
    """
    device = model.embed.device
    rows = [np.append(p, RESP) for p in prompts]
    width = max(map(len, rows))
    ids = torch.tensor(np.stack([np.concatenate((np.full(width - len(r), RESP), r)) for r in rows]), device=device)
    gap = torch.tensor([width - len(r) for r in rows], device=device)
    at = torch.arange(width, device=device)
    positions = (at[None] - gap[:, None]).clamp(min=0)
    seen = (at[None, None, :] <= at[None, :, None]) & (at[None, None, :] >= gap[:, None, None])
    hidden, past = model(ids, positions, View(additive(seen, model.dtype)))
    written: list[list[int]] = [[] for _ in rows]
    for step in range(MOST):
        logits = model.logits(hidden[:, -1])
        logits[:, [*NEVER, *PADS]] = -1e9
        best = logits.argmax(-1)
        done = [w.count(END) >= len(SLOTS) for w in written]
        for w, token, over in zip(written, best.tolist(), done):
            if not over:
                w.append(token)
        if all(w.count(END) >= len(SLOTS) for w in written):
            break
        column = torch.arange(width + step + 1, device=device)
        mask = additive((column[None, None, :] >= gap[:, None, None]), model.dtype)
        hidden, new = model(best[:, None], (width + step - gap)[:, None], View(mask), past)
        past = [(torch.cat((k, nk), 2), torch.cat((v, nv), 2)) for (k, v), (nk, nv) in zip(past, new)]
    return written


def slots(tokens: list[int], vocabulary: Vocabulary) -> list[str]:
    """Texts of the three slots; a slot that was not reached is empty."""
    parts: list[list[int]] = [[]]
    for token in tokens:
        if token == END:
            parts.append([])
        else:
            parts[-1].append(token)
    return [vocabulary.decode(part) for part in (parts + [[]] * len(SLOTS))[: len(SLOTS)]]
