"""
Llama-style decoder: RMSNorm, RoPE (Hugging Face's rotate_half convention), SwiGLU, no biases, tied embeddings. The same
module is the AR model and the MDLM; only the mask it is given and the loss differ. Weights are fp32; `dtype` is what
matrix products run in; the residual stream and the norms stay fp32.
"""
from __future__ import annotations

import os
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

from attention import attend
from config import ModelConfig


@dataclass
class View:
    """What queries see: one additive mask over all tokens, or, with `split` clean tokens in front, one for the clean
    queries over clean keys and one for the others over all keys (saves the work of clean queries on noisy keys)."""

    mask: torch.Tensor
    split: int = 0
    rest: torch.Tensor | None = None


def _norm(x: torch.Tensor, weight: torch.Tensor, eps: float, dtype: torch.dtype) -> torch.Tensor:
    return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight).to(dtype)


def _add_norm(x: torch.Tensor, y: torch.Tensor, weight: torch.Tensor, eps: float, dtype: torch.dtype):
    x = x + y.float()
    return x, (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight).to(dtype)


def _rope(qkv: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, heads: int, dim: int):
    """[B,S,3*H*D] -> q, k, v as [B,H,S,D], q and k turned. cos and sin are [B,S,D/2]."""
    b, s, _ = qkv.shape
    q, k, v = qkv.view(b, s, 3, heads, dim).permute(2, 0, 3, 1, 4)
    cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)

    def turn(x: torch.Tensor) -> torch.Tensor:
        x1, x2 = x[..., : dim // 2].float(), x[..., dim // 2 :].float()
        return torch.cat((x1 * cos - x2 * sin, x2 * cos + x1 * sin), -1).to(qkv.dtype)

    return turn(q), turn(k), v.contiguous()


def _swiglu(x: torch.Tensor) -> torch.Tensor:
    gate, up = x.chunk(2, -1)
    return (F.silu(gate.float()) * up.float()).to(x.dtype)


class Pieces:
    """The element-wise parts; compiled in training, since eager PyTorch walks the memory once per operation."""

    def __init__(self, compiled: bool):
        self.compiled = compiled
        wrap = (lambda f: torch.compile(f, dynamic=True)) if compiled else (lambda f: f)
        self.norm, self.add_norm, self.rope, self.swiglu = map(wrap, (_norm, _add_norm, _rope, _swiglu))


class Layer(nn.Module):
    def __init__(self, c: ModelConfig):
        super().__init__()
        inner = c.heads * c.head_dim
        self.norm1 = nn.Parameter(torch.ones(c.hidden))
        self.norm2 = nn.Parameter(torch.ones(c.hidden))
        self.qkv = nn.Parameter(torch.randn(3 * inner, c.hidden) * c.hidden**-0.5)
        self.out = nn.Parameter(torch.randn(c.hidden, inner) * inner**-0.5 * 0.1)
        self.gate_up = nn.Parameter(torch.randn(2 * c.ffn, c.hidden) * c.hidden**-0.5)
        self.down = nn.Parameter(torch.randn(c.hidden, c.ffn) * c.ffn**-0.5 * 0.1)


class Decoder(nn.Module):
    """Ids, positions and a view to hidden states; `logits` maps those to the vocabulary."""

    def __init__(self, c: ModelConfig, dtype: torch.dtype = torch.float32, compiled: bool = False):
        super().__init__()
        self.c, self.dtype, self.pieces = c, dtype, Pieces(compiled and os.environ.get("COMPILE", "1") == "1")
        self.embed = nn.Parameter(torch.randn(c.vocab, c.hidden) * 0.02)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.layers))
        self.norm = nn.Parameter(torch.ones(c.hidden))
        # Angles are rounded to fp32 as in the exported graphs (and in Hugging Face's code).
        freq = (c.theta ** (-torch.arange(0, c.head_dim, 2, dtype=torch.float64) / c.head_dim)).float()
        angle = torch.arange(c.max_positions, dtype=torch.float32)[:, None] * freq
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)

    def forward(self, ids: torch.Tensor, positions: torch.Tensor, view: View, past: list | None = None):
        """-> final hidden states [B,S,hidden] in `dtype`, and each layer's (key, value) of the new tokens.
        `past` holds such pairs of tokens before; the mask then covers past keys first."""
        c, p, dt = self.c, self.pieces, self.dtype
        b, s = ids.shape
        cos, sin = self.cos[positions], self.sin[positions]
        x = F.embedding(ids, self.embed)
        kept = []
        y = None
        for i, layer in enumerate(self.layers):
            if y is None:
                h = p.norm(x, layer.norm1, c.eps, dt)
            else:
                x, h = p.add_norm(x, y, layer.norm1, c.eps, dt)
            q, k, v = p.rope(F.linear(h, layer.qkv.to(dt)), cos, sin, c.heads, c.head_dim)
            kept.append((k, v))
            if past is not None:
                k, v = torch.cat((past[i][0], k), 2), torch.cat((past[i][1], v), 2)
            if view.split:
                n = view.split
                clean = attend(q[:, :, :n], k[:, :, :n], v[:, :, :n], view.mask)
                a = torch.cat((clean, attend(q[:, :, n:], k, v, view.rest)), 2)
            else:
                a = attend(q, k, v, view.mask)
            y = F.linear(a.transpose(1, 2).reshape(b, s, -1), layer.out.to(dt))
            x, h = p.add_norm(x, y, layer.norm2, c.eps, dt)
            y = F.linear(p.swiglu(F.linear(h, layer.gate_up.to(dt))), layer.down.to(dt))
        return p.add_norm(x, y, self.norm, c.eps, dt)[1], kept

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        return F.linear(hidden, self.embed.to(self.dtype)).float()

    def hidden_matrices(self) -> list[nn.Parameter]:
        """What Muon trains; the others (embeddings, norms) go to AdamW."""
        return [w for layer in self.layers for w in (layer.qkv, layer.out, layer.gate_up, layer.down)]

    def matrix_parts(self, weight: nn.Parameter) -> int:
        """How many matrices are stacked in one parameter (queries, keys, values; gate, up)."""
        for layer in self.layers:
            if weight is layer.qkv:
                return 3
            if weight is layer.gate_up:
                return 2
        return 1


def parameter_count(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())
