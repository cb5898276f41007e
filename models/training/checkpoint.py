"""Checkpoints of a run (torch, outside the repository) and models read back from them or from a committed folder."""
from __future__ import annotations

import json
import os
from pathlib import Path

import torch

from config import ModelConfig
from model import Decoder


def save(path: Path, **content) -> None:
    """Written beside and renamed, so that an interrupted save leaves the old file."""
    part = path.with_suffix(".part")
    torch.save(content, part)
    os.replace(part, path)


def load(path: Path) -> dict:
    return torch.load(path, map_location="cpu", weights_only=False)


def load_model(path: Path, dtype: torch.dtype = torch.float32, compiled: bool = False) -> tuple[Decoder, dict]:
    """Model and {kind, shift, tokens} of a checkpoint, or of a model folder with `model.safetensors`."""
    if path.is_dir():
        from hub import from_folder

        return from_folder(path, dtype, compiled)
    saved = load(path)
    model = Decoder(ModelConfig(**saved["config"]), dtype, compiled)
    model.load_state_dict(saved["model"])
    return model, {k: saved[k] for k in ("kind", "shift", "tokens")}


def latest(folder: Path) -> Path | None:
    path = folder / "last.pt"
    return path if path.exists() else None


def append_log(path: Path, row: dict) -> None:
    with path.open("a") as f:
        f.write(json.dumps(row) + "\n")
