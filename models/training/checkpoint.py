"""Checkpoints of a run (torch, outside the repository) and models read back from them or from a committed folder."""
from __future__ import annotations

import csv
import json
import os
from datetime import datetime
from pathlib import Path

import torch

from config import FIRST_TEXT, ModelConfig
from data import Vocabulary
from model import Decoder


def save(path: Path, **content) -> None:
    """Written beside and renamed, so that an interrupted save leaves the old file."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


def load(path: Path) -> dict:
    return torch.load(path, map_location="cpu", weights_only=False)


def _described(saved: dict) -> dict:
    return {**{k: saved[k] for k in ("kind", "shift", "tokens")}, "causal": saved.get("causal", False)}


def describe(path: Path) -> dict:
    """{kind, shift, causal, tokens} of a checkpoint, or of a model folder."""
    if path.is_dir():
        import hub

        return hub.describe(hub.read_config(path))
    return _described(load(path))


def load_model(path: Path, dtype: torch.dtype = torch.float32, compiled: bool = False) -> tuple[Decoder, dict]:
    """The model of a checkpoint, or of a model folder with `model.safetensors`, and what `describe` says."""
    if path.is_dir():
        from hub import from_folder

        return from_folder(path, dtype, compiled)
    saved = load(path)
    model = Decoder(ModelConfig(**saved["config"]), dtype, compiled)
    model.load_state_dict(saved["model"])
    return model, _described(saved)


def adopt_vocabulary(model: Decoder, old: Vocabulary, new: Vocabulary) -> Decoder:
    """The model with the rows of another tokenizer: the same special tokens, rows of known texts kept, and for a new text
    the mean of the rows of its longest known pieces from the left (single bytes are always known)."""
    known = {text: i for i, text in old.tokens.items() if i >= FIRST_TEXT}
    config = ModelConfig(**{**model.c.to_dict(), "vocab": len(new.tokens)})
    out = Decoder(config, model.dtype, model.pieces.compiled)
    rows = torch.zeros(config.vocab, config.hidden)
    for i, text in new.tokens.items():
        pieces, at = [], 0
        while i >= FIRST_TEXT and at < len(text):
            end = next(e for e in range(len(text), at, -1) if text[at:e] in known)
            pieces.append(known[text[at:end]])
            at = end
        rows[i] = model.embed.detach()[pieces or [i]].mean(0)
    out.load_state_dict({**model.state_dict(), "embed": rows})
    return out


def grow(model: Decoder, layers: int) -> Decoder:
    """The model with more layers that computes the same: the new ones stand before the last, read what it reads (a copy of its
    weights) and add nothing, since what they write with is zero until it is trained."""
    more = layers - len(model.layers)
    if more < 0:
        raise ValueError(f"the model has {len(model.layers)} layers already, {layers} were asked for")
    out = Decoder(ModelConfig(**{**model.c.to_dict(), "layers": layers}), model.dtype, model.pieces.compiled)
    state = {k: v for k, v in model.state_dict().items() if not k.startswith("layers.")}
    last = len(model.layers) - 1
    for i in range(layers):
        for name, value in model.layers[min(i, last)].state_dict().items():
            new = last <= i < last + more and name in ("out", "down")
            state[f"layers.{i}.{name}"] = torch.zeros_like(value) if new else value
    out.load_state_dict(state)
    return out


def add_difference(model: Decoder, info: dict, plus: tuple[Decoder, dict], minus: tuple[Decoder, dict]) -> dict:
    """Adds to the weights what `plus` has over `minus` (task arithmetic, Ilharco et al., arXiv 2212.04089), in place: what an MDLM
    learnt over the AR model it came from, on a later AR model. -> what the model is then, with the tokens of both."""
    kinds = tuple(x["kind"] for x in (info, plus[1], minus[1]))
    if kinds != ("ar", "mdlm", "ar"):
        raise ValueError(f"needs an AR model, an MDLM, and the AR model that one came from; these are {', '.join(kinds)}")
    if not model.c == plus[0].c == minus[0].c:
        raise ValueError(f"needs three models of one shape; these are {model.c}, {plus[0].c} and {minus[0].c}")
    with torch.no_grad():
        for own, more, less in zip(model.parameters(), plus[0].parameters(), minus[0].parameters(), strict=True):
            own += more - less
    return {**plus[1], "tokens": {k: n + plus[1]["tokens"][k] - minus[1]["tokens"][k] for k, n in info["tokens"].items()}}


def latest(folder: Path) -> Path | None:
    path = folder / "last.pt"
    return path if path.exists() else None


CSV_COLUMNS = ("time", "stage", "step", "seconds", "tokens", "tokens_per_second", "loss", "valid_observation", "valid_delta", "valid_status")


def append_log(folder: Path, row: dict) -> None:
    """Adds a row to `log.jsonl`, from which the cards are made, and to `log.csv`, for people and spreadsheets."""
    with (folder / "log.jsonl").open("a") as f:
        f.write(json.dumps(row, default=str) + "\n")
    path = folder / "log.csv"
    fresh = not path.exists()
    valid = {f"valid_{k}": row["valid"][k] for k in ("observation", "delta", "status")} if "valid" in row else {}
    flat = {"time": datetime.now().isoformat(timespec="seconds"), **row, **valid}
    with path.open("a", newline="") as f:
        writer = csv.DictWriter(f, CSV_COLUMNS, extrasaction="ignore")
        if fresh:
            writer.writeheader()
        writer.writerow(flat)
