"""
Writes a model folder: Hugging Face config and tokenizer files, fp16 weights, the ONNX graph, and the model card.

    python export.py --model RUN/final.pt --corpus DIR --to ../ar [--log RUN/log.jsonl] [--results eval.json] [--version v0]
"""
from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import torch

from attention import additive
from card import card
from checkpoint import load_model
from config import MASK, NEVER, PADS, RESP, SLOTS, START_SIZES
from data import Split, block_ids, clean_blocks, responses
from decode import decode_graph, save_beside
from drafts import window_graph
from graph import ar_graph, mdlm_graph
from hub import GENERATION, TOKENIZER_CONFIG, config_json, rounded, terrarium_block, write_weights
from model import Decoder, View, parameter_count


def self_test(model: Decoder, info: dict, doc: np.ndarray) -> dict:
    """Golden logits of fp16-rounded weights in fp32: a document up to its first answer, which is clean for AR and a masked
    window for MDLM. Positions count on from 0. The tokens checked are the best and two that depend on the place."""
    answer, kind = responses(doc)[0], info["kind"]
    if kind == "ar":
        ids = doc[: answer.start + 1 + sum(len(s) + 1 for s in answer.slots)]
        blocks = block_ids(ids)
    else:
        window = [RESP, *[MASK] * sum(START_SIZES[s] for s in SLOTS)]
        ids = np.append(doc[: answer.start], window)
        block = answer.start if info["causal"] else answer.block
        blocks = np.append(clean_blocks(doc[: answer.start], info["causal"]), [block] * len(window))
    n = len(ids)
    at = torch.arange(n)
    b = torch.from_numpy(blocks)
    visible = (at[None, :] <= at[:, None]) if kind == "ar" else (b[None, :] <= b[:, None])
    with torch.no_grad():
        hidden, _ = model(torch.from_numpy(ids)[None], at[None], View(additive(visible[None], torch.float32)))
        logits = model.logits(hidden)[0]
    logits[:, [*NEVER, *(PADS if kind == "ar" else ())]] = -1e9
    places = sorted({answer.start + i for i in (0, 1, 2, 5, 9)} | {0, n // 2, n - 1})
    checks = []
    for i in places:
        if i < n:
            for token in sorted({int(logits[i].argmax()), 17 + (37 * i) % 2000, 17 + (91 * i + 5) % 2000}):
                checks.append({"position": i, "token": token, "logit": round(float(logits[i, token]), 5)})
    return {"input_ids": ids.tolist(), "block_ids": blocks.tolist(), "checks": checks}


def shortest_document(split: Split) -> np.ndarray:
    """Short, so that the self-test costs little at load."""
    return split.doc(int(np.argmin([responses(split.doc(i))[0].start for i in range(min(len(split), 200))])))


def describe(path: Path) -> dict:
    data = path.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def write_json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n")


def export(source: Path, corpus: Path, to: Path, version: str, logs: list[Path], results: Path | None, examples: Path | None, rollouts: Path | None = None, why: Path | None = None) -> None:
    model, info = load_model(source)
    model, kind = rounded(model), info["kind"]
    (to / "onnx").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(corpus / "tokenizer.json", to / "tokenizer.json")
    onnx.save(ar_graph(model) if kind == "ar" else mdlm_graph(model), to / "onnx/model.onnx")
    fused = decode_graph(model) if kind == "ar" else window_graph(model)
    save_beside(fused, to / "onnx/decode.onnx", to / "onnx/model.onnx")
    names = ["onnx/model.onnx", "tokenizer.json", "onnx/decode.onnx"]
    write_weights(model, to / "model.safetensors")
    files = {name: describe(to / name) for name in names}
    test = self_test(model, info, shortest_document(Split(corpus / "valid.bin")))
    sha = files["tokenizer.json"]["sha256"]
    block = terrarium_block(info, version, sha, files, test)
    text = json.dumps(config_json(model.c, block), indent=2)
    (to / "config.json").write_text(text + "\n")
    write_json(to / "generation_config.json", GENERATION)
    write_json(to / "tokenizer_config.json", TOKENIZER_CONFIG)
    meta = json.loads((corpus / "meta.json").read_text())
    (to / "README.md").write_text(card(kind, model.c, parameter_count(model), block, meta, logs, results, examples, rollouts, why))
    print(f"{to}: {kind}, {parameter_count(model)} parameters, ONNX {files['onnx/model.onnx']['bytes'] / 1e6:.2f} MB")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--model", type=Path, required=True, help="checkpoint, or a model folder")
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--to", type=Path, required=True)
    ask.add_argument("--version", default="v0")
    ask.add_argument("--log", type=Path, action="append", default=[], help="log.jsonl of the runs, in order")
    ask.add_argument("--results", type=Path, help="the JSON of `npm run eval`, one object a line for several splits")
    ask.add_argument("--examples", type=Path, help="what `npm run eval -- --show 6 --wrong` printed")
    ask.add_argument("--rollouts", type=Path, help="results.json of `npm run lab` on rollouts.json")
    ask.add_argument("--why", type=Path, help="text of the card on why targets are missed")
    args = ask.parse_args()
    export(args.model, args.corpus, args.to, args.version, args.log, args.results, args.examples, args.rollouts, args.why)


if __name__ == "__main__":
    main()
