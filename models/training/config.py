"""Token ids of the codec (version 2), slot sizes and the shapes of the models. Mirrors src/world/codec/."""
from __future__ import annotations

from dataclasses import asdict, dataclass

CODEC = 2
VOCAB = 3072
MASK = 0
PAD_0, PAD_CYCLE = 1, 8
END = 9
RULES, TOOLS, STATE, TASK, TURN, CALL, RESP = range(10, 17)
FIRST_TEXT = 17
"""Never a prediction of either model: `<mask>` and the tokens that open a block or a part of one."""
NEVER = (MASK, *range(RULES, RESP + 1))
PADS = tuple(range(PAD_0, PAD_0 + PAD_CYCLE))
PAD_BLOCK = 1 << 30
"""Block id of padding keys: larger than any real block, so nothing sees them."""

SLOTS = ("observation", "delta", "status")
SLOT_SIZES = {"observation": (16, 32, 64, 128), "delta": (4, 16, 40, 80), "status": (8,)}
START_SIZES = {"observation": 16, "delta": 4, "status": 8}
PUNCTUATION = set('{}[]:,"')


@dataclass
class ModelConfig:
    """Shape of a Llama-style decoder with tied embeddings and as many key heads as heads."""

    hidden: int = 256
    layers: int = 4
    heads: int = 4
    head_dim: int = 64
    ffn: int = 640
    vocab: int = VOCAB
    theta: float = 10000.0
    eps: float = 1e-5
    max_positions: int = 2048

    def to_dict(self) -> dict:
        return asdict(self)


SIZES = {
    "v0": ModelConfig(),
    "micro": ModelConfig(hidden=32, layers=2, heads=1, head_dim=32, ffn=64),
    # About as many weights behind the embeddings as v0, to compare shapes (docs/decisions/0008).
    "deep": ModelConfig(hidden=192, layers=8, heads=3, ffn=400),
    "wide": ModelConfig(hidden=384, layers=2, heads=6, ffn=800),
    "heads32": ModelConfig(heads=8, head_dim=32),
    "heads128": ModelConfig(heads=2, head_dim=128),
}
