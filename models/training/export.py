"""
Writes a model folder: Hugging Face config and tokenizer files, fp16 weights, the ONNX graph, and the model card.

    python export.py --model RUN/final.pt --corpus DIR --to ../ar --version v7 [--log RUN/log.jsonl] [--results eval.json]
"""
from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch

from attention import additive
from card import Evidence, card
from checkpoint import load_model
from config import CODEC, FIRST_TEXT, MASK, NEVER, PADS, RESP, SLOTS, START_SIZES
from data import Split, Vocabulary, block_ids, clean_blocks, responses
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
            for token in sorted({int(logits[i].argmax()), FIRST_TEXT + (37 * i) % 2000, FIRST_TEXT + (91 * i + 5) % 2000}):
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


def pair_tokens(to: Path, kind: str, version: str) -> int | None:
    """Training tokens of the pair's other model, where it lies beside and is of this version."""
    path = to.parent / ("mdlm" if kind == "ar" else "ar") / "config.json"
    block = json.loads(path.read_text())["terrarium"] if path.exists() else {}
    return sum(block["trainedTokens"].values()) if block.get("version") == version else None


def export(source: Path, corpus: Path, to: Path, version: str, evidence: Evidence) -> None:
    """Writes a model folder. Raises ValueError, and leaves the folder as it was, for a corpus that is not the model's or results of another version."""
    model, info = load_model(source)
    model, kind = rounded(model), info["kind"]
    meta = json.loads((corpus / "meta.json").read_text())
    entries = len(Vocabulary(corpus / "tokenizer.json").tokens)
    if entries != model.c.vocab or meta["codec"] != CODEC:
        raise ValueError(f"{corpus} has {entries} tokens and codec {meta['codec']}, the model {model.c.vocab} and {CODEC}; name the corpus it was trained on")
    part = to.with_name(f"{to.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "onnx").mkdir(parents=True)
    shutil.copyfile(corpus / "tokenizer.json", part / "tokenizer.json")
    onnx.save(ar_graph(model) if kind == "ar" else mdlm_graph(model), part / "onnx/model.onnx")
    fused = decode_graph(model) if kind == "ar" else window_graph(model)
    save_beside(fused, part / "onnx/decode.onnx", part / "onnx/model.onnx")
    write_weights(model, part / "model.safetensors")
    files = {name: describe(part / name) for name in ("onnx/model.onnx", "tokenizer.json", "onnx/decode.onnx")}
    test = self_test(model, info, shortest_document(Split(corpus / "valid.bin")))
    block = terrarium_block(info, version, files["tokenizer.json"]["sha256"], files, test)
    write_json(part / "config.json", config_json(model.c, block))
    write_json(part / "generation_config.json", GENERATION)
    write_json(part / "tokenizer_config.json", TOKENIZER_CONFIG)
    evidence = replace(evidence, pair=pair_tokens(to, kind, version))
    (part / "README.md").write_text(card(kind, model.c, parameter_count(model), block, meta, evidence))
    shutil.copytree(part, to, dirs_exist_ok=True)
    shutil.rmtree(part)
    print(f"{to}: {kind}, {parameter_count(model)} parameters, ONNX {files['onnx/model.onnx']['bytes'] / 1e6:.2f} MB")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--model", type=Path, required=True, help="checkpoint, or a model folder")
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--to", type=Path, required=True)
    ask.add_argument("--version", required=True, help="of the pair, such as v7; results of another version are refused")
    ask.add_argument("--log", type=Path, action="append", default=[], help="log.jsonl of the runs, in order")
    ask.add_argument("--results", type=Path, help="the JSON of `npm run eval`, one object a line for several splits")
    ask.add_argument("--examples", type=Path, help="what `npm run eval -- --show 6 --wrong` printed")
    ask.add_argument("--rollouts", type=Path, help="results.json of `npm run lab` on rollouts.json")
    ask.add_argument("--why", type=Path, help="text of the card on why targets are missed")
    args = ask.parse_args()
    evidence = Evidence(args.log, args.results, args.examples, args.rollouts, args.why)
    export(args.model, args.corpus, args.to, args.version, evidence)


if __name__ == "__main__":
    main()
