"""Muon (momentum, orthogonalised by a Newton-Schulz iteration) for hidden matrices, AdamW for the rest."""
from __future__ import annotations

import torch

from config import Run


def orthogonalise(g: torch.Tensor, steps: int = 5) -> torch.Tensor:
    """[N,R,C] with R <= C: about the nearest semi-orthogonal matrices, in bf16 (K. Jordan's quintic coefficients)."""
    x = g.to(torch.bfloat16)
    x = x / (x.float().norm(dim=(1, 2), keepdim=True) + 1e-7).to(x.dtype)
    for _ in range(steps):
        a = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(a, a, a, beta=-4.7750, alpha=2.0315), x, beta=3.4445)
    return x


class Muon(torch.optim.Optimizer):
    """`matrices` is a list of (parameter, number of matrices stacked in it). Matrices of one shape go in one batch."""

    def __init__(self, matrices, lr: float, momentum: float, decay: float):
        self.parts = {id(p): n for p, n in matrices}
        super().__init__([p for p, _ in matrices], dict(lr=lr, momentum=momentum, decay=decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            batches: dict[tuple, list] = {}
            for p in group["params"]:
                buf = self.state[p].setdefault("momentum", torch.zeros_like(p))
                buf.lerp_(p.grad, 1 - group["momentum"])
                update = p.grad.lerp(buf, group["momentum"])
                for part, piece in zip(p.chunk(self.parts[id(p)]), update.chunk(self.parts[id(p)])):
                    tall = piece.shape[0] > piece.shape[1]
                    piece = piece.t() if tall else piece
                    batches.setdefault(tuple(piece.shape), []).append((part, piece, tall))
            for items in batches.values():
                done = orthogonalise(torch.stack([piece for _, piece, _ in items])).float()
                for (part, _, tall), o in zip(items, done):
                    scale = max(1.0, part.shape[0] / part.shape[1]) ** 0.5
                    part.mul_(1 - group["lr"] * group["decay"])
                    part.add_(o.t() if tall else o, alpha=-group["lr"] * scale)


def make_optimizers(model, run: Run):
    """-> the optimizers (AdamW alone, or Muon and it); the learning rates kept in `base` are what a schedule scales."""
    hidden = model.hidden_matrices()
    ids = {id(p) for p in hidden}
    groups = [{"params": [p for p in model.parameters() if id(p) not in ids]}]
    muon = run.optimizer == "muon"
    if not muon:
        groups.append({"params": hidden, "weight_decay": run.weight_decay})
    adam = torch.optim.AdamW(groups, lr=run.lr_adam, betas=(run.beta1, run.beta2), weight_decay=0.0, fused=True)
    matrices = [(p, model.matrix_parts(p)) for p in hidden]
    optimizers = [Muon(matrices, run.lr, run.momentum, run.weight_decay), adam] if muon else [adam]
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["base"] = group["lr"]
    return optimizers
