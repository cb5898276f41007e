"""The training objectives: next-token prediction for the AR model, masked tokens of noisy windows for the MDLM."""
from __future__ import annotations

import torch
import torch.nn.functional as F

from attention import additive
from model import Decoder, View


class Task:
    """The loss of a batch, as a sum of weighted cross entropies."""

    def __init__(self, stage: str, shift: bool, device: str):
        self.mdlm, self.shift, self.device = stage == "mdlm", shift, device

    def loss(self, model: Decoder, batch) -> torch.Tensor:
        ids = torch.from_numpy(batch.ids).to(self.device)
        weight = torch.from_numpy(batch.weight.reshape(-1)).to(self.device)
        at = weight.nonzero().squeeze(1)
        if self.mdlm:
            clean, rest = batch.visible(torch, self.device)
            view = View(additive(clean, model.dtype), batch.split, additive(rest, model.dtype))
            positions = torch.from_numpy(batch.positions).to(self.device)
            target = torch.from_numpy(batch.target.reshape(-1)).to(self.device)[at]
            read = at - 1 if self.shift else at
        else:
            size = ids.shape[1]
            causal = torch.ones(1, size, size, dtype=torch.bool, device=self.device).tril()
            view = View(additive(causal, model.dtype))
            positions = torch.arange(size, device=self.device).expand_as(ids)
            target, read = ids.reshape(-1)[at + 1], at
        hidden, _ = model(ids, positions, view)
        logits = model.logits(hidden.reshape(-1, hidden.shape[-1])[read])
        return (F.cross_entropy(logits, target, reduction="none") * weight[at]).sum()
