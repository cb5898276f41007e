"""
Everything that is set: token ids of the codec (version 2) and slot sizes, which mirror src/world/codec/, shapes of the models, and the
settings of a run (`Run`, `WindowOptions`), whose defaults are the defaults of the flags of train.py.
"""
from __future__ import annotations

from dataclasses import asdict, dataclass, field

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


POOLS = {"ar": 1024, "mdlm": 512}
"""Documents put in batches of similar length at a time."""
EVAL_N = {"ar": 200, "mdlm": 64}
"""Answers of an evaluation while training; twice as many at the end."""
DRAFT_SIZES = (5, 8)
"""Masks of a draft. The sampler runs one less than the smaller: of these all are asked for."""
THRESHOLD, PASSES = 0.9, 160
"""Of the sampler of the evaluations: the confidence that commits a place, and passes of an answer at most."""


def setting(default, what: str, choices: tuple[str, ...] | None = None):
    """A field that is a flag of train.py as well: its default, what the flag's help says, and the words allowed."""
    return field(default=default, metadata={"help": what, "choices": choices})


@dataclass
class Run:
    """Budget, schedule, optimizers and batches of a run of either stage."""

    minutes: float = setting(10.0, "budget of working time, resumed parts together")
    deadline: str = setting("", "HH:MM, local time, the next such one; instead of --minutes")
    tokens: float = setting(0.0, "budget of this run, resumed parts together, in millions of tokens; instead of --minutes")
    size: str = setting("v0", "shape of a model that is not read from --init; micro computes in fp32", tuple(SIZES))
    seed: int = setting(1, "of weights and of the order of documents")
    optimizer: str = setting("muon", "of the hidden matrices", ("muon", "adamw"))
    lr: float = setting(0.012, "Muon")
    lr_adam: float = setting(3e-3, "embeddings and norms")
    momentum: float = setting(0.95, "Muon")
    beta1: float = setting(0.9, "AdamW")
    beta2: float = setting(0.98, "AdamW")
    weight_decay: float = setting(0.01, "of the hidden matrices")
    clip: float = setting(1.0, "the gradient's norm at most")
    warmup: int = setting(60, "steps of rising learning rate; 0: none")
    decay: float = setting(0.35, "share of the budget, at its end, in which the learning rate falls to zero; 0: none")
    step_tokens: int = setting(8000, "padded tokens of a step, about")
    micro_tokens: int = setting(8000, "padded tokens of a batch at most; a step adds up the gradients of its batches")
    other: float = setting(0.1, "AR: mean weight of tokens outside answers")
    other_keep: float = setting(0.3, "AR: share of those tokens that weigh anything, drawn anew each time")
    log_seconds: float = setting(20.0, "between lines of the log")
    save_minutes: float = setting(5.0, "between saves of last.pt")
    eval_minutes: float = setting(4.0, "between evaluations")
    eval_n: int = setting(0, f"answers of an evaluation; 0: {EVAL_N['ar']} for AR, {EVAL_N['mdlm']} for MDLM")
    eval_passes: int = setting(24, "MDLM: passes of an evaluated answer at most; an early model needs many and is wrong anyway")
    threads: int = setting(2, "of torch")


@dataclass
class WindowOptions:
    """What the MDLM's batches are made of."""

    cap: int = setting(400, "MDLM: noisy tokens of a document, about")
    elastic: float = setting(0.15, "MDLM: share of windows with pads inserted at a JSON boundary")
    overflow: float = setting(0.12, "MDLM: share of slots that are too small for their content")
    """Filled to the brim without `<end>`, which is how a sampler that started too small learns that it must grow."""
    start_sizes: float = setting(0.6, "MDLM: share of slots of the size inference ends up with")
    """The others are the smallest that fits or a random one."""
    full: float = setting(0.3, "MDLM: share of answers with a fully masked copy, and one with the slots' first parts revealed")
    """The others get a random mask and its complement."""
    reveal_pads: float = setting(0.25, "MDLM: chance of a slot that `<end>` and pads are all known")
    """Samplers commit those first."""
    mask_power: float = setting(1.0, "MDLM: mask rates are uniform numbers to this power (below 1 more is masked)")
    pad_weight: float = setting(0.2, "MDLM: weight of predicting a pad")
    single: bool = setting(False, "MDLM: one noisy copy of an answer, without its complement")
    causal: bool = False
    """Clean tokens see the tokens before them only, as in the AR model, whose weights then read a prompt unchanged. Like the shift of the
    output it belongs to the model: train.py takes it from the MDLM a run goes on from."""
    clean: float = setting(0.0, "MDLM: weight of next tokens in clean answers (--causal --shift)")
    """As the AR model predicts them; needs `causal` and a shifted output."""
    drafts: float = setting(0.0, "MDLM: share of noisy tokens that are drafts (--causal --shift)")
    """A few masks that follow any place of an answer and see all of its clean tokens before, which is what the speculative
    sampler asks for; needs `causal` and a shifted output."""
