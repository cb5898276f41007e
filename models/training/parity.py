"""
Checks an exported folder against torch (fp32, the folder's fp16 weights) with ONNX Runtime on the CPU.

    python parity.py FOLDER

AR: one pass equals steps with a cache, and the graph that decodes by itself writes the same. MDLM: one pass equals a prefill
block by block, a padded batch, and the graph that reads chosen places. Both: self-test.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch

from attention import additive
from checkpoint import load_model
from config import MASK, NEVER, PAD_BLOCK, PADS, RESP
from model import View

TOLERANCE = 1e-4


class Session:
    def __init__(self, folder: Path, graph: str = "model"):
        options = ort.SessionOptions()
        options.intra_op_num_threads = 2
        self.run_ = ort.InferenceSession(str(folder / f"onnx/{graph}.onnx"), options, providers=["CPUExecutionProvider"])
        self.names = [o.name for o in self.run_.get_outputs()]

    def __call__(self, feeds: dict) -> dict:
        return dict(zip(self.names, self.run_.run(None, feeds)))


def near(name: str, a: np.ndarray, b: np.ndarray, tolerance: float = TOLERANCE) -> None:
    worst = float(np.abs(a - b).max()) if a.size else 0.0
    print(f"{'ok  ' if worst <= tolerance else 'FAIL'} {name}: largest difference {worst:.2e}")
    if worst > tolerance:
        raise SystemExit(1)


def torch_logits(model, ids, blocks, kind: str) -> np.ndarray:
    n = len(ids)
    at, b = torch.arange(n), torch.from_numpy(blocks)
    visible = (at[None, :] <= at[:, None]) if kind == "ar" else (b[None, :] <= b[:, None])
    with torch.no_grad():
        hidden, _ = model(torch.from_numpy(ids)[None], at[None], View(additive(visible[None], torch.float32)))
        logits = model.logits(hidden)[0].numpy()
    logits[:, [*NEVER, *(PADS if kind == "ar" else ())]] = -1e9
    return logits


def cache(model, prefix: str, batch: int, n: int = 0) -> dict:
    shape = (batch, model.c.heads, n, model.c.head_dim)
    return {f"{prefix}.{i}.{k}": np.zeros(shape, np.float32) for i in range(model.c.layers) for k in ("key", "value")}


def check_ar(model, session: Session, ids: np.ndarray, want: np.ndarray) -> None:
    def step(part, past, total, at):
        place = np.arange(at, at + len(part))[None]
        return session(
            {"input_ids": part[None], "attention_mask": np.ones((1, total), np.int64), "position_ids": place, **past}
        )

    n = len(ids)
    near("AR one pass", step(ids, cache(model, "past_key_values", 1), n, 0)["logits"][0], want)
    past, got, at = cache(model, "past_key_values", 1), [], 0
    for size in (n // 2, 7, *[1] * (n - n // 2 - 7)):
        out = step(ids[at : at + size], past, at + size, at)
        past = {k: out[k.replace("past_key_values", "present")] for k in past}
        got.append(out["logits"][0])
        at += size
    near("AR with cache", np.concatenate(got), want)
    left = 5
    padded = {
        "input_ids": np.stack([np.append(np.full(left, 1), ids), np.append(ids, np.full(left, 1))]),
        "attention_mask": np.stack([np.append(np.zeros(left), np.ones(n)), np.append(np.ones(n), np.zeros(left))]),
        "position_ids": np.stack([np.append(np.zeros(left), np.arange(n)), np.arange(n + left)]),
    }
    out = session({**{k: v.astype(np.int64) for k, v in padded.items()}, **cache(model, "past_key_values", 2)})["logits"]
    near("AR left padded", out[0, left:], want)
    near("AR right padded", out[1, :n], want)


def check_decode(model, session: Session, ids: np.ndarray, want: np.ndarray) -> None:
    """The second graph: logits, two rows behind pasts of different lengths, and the loop against one token at a time."""
    i32 = lambda x: np.asarray(x, dtype=np.int32)

    def call(rows, past, past_blocks, more):
        width = max(len(tokens) for tokens, _ in rows)
        fill = lambda values, filler: [*values, *[filler] * (width - len(values))]
        places = [range(at, at + len(tokens)) for tokens, at in rows]
        feeds = {"input_ids": [fill(tokens, 1) for tokens, _ in rows], "positions": [fill(p, 0) for p in places]}
        feeds["block_ids"] = [fill(p, PAD_BLOCK) for p in places]
        feeds["past_block_ids"], feeds["ends"] = past_blocks, [99] * len(rows)
        feeds["read"] = [r * width + len(tokens) - 1 for r, (tokens, _) in enumerate(rows)]
        return session({**{k: i32(v) for k, v in feeds.items()}, **past, "more": np.array(more, dtype=np.int64)})

    n, cut = len(ids), len(ids) // 2
    none = cache(model, "past", 1, 1)
    out = call([(ids, 0)], none, [[PAD_BLOCK]], 0)
    near("decode: one pass", out["logits"][0], want[-1])
    past = {k: out[k.replace("past", "present")][:, :, : n - 1] for k in none}
    short = {k: np.where(np.arange(n - 1)[:, None] < cut, v, 0) for k, v in past.items()}
    both = {k: np.concatenate((v, short[k])) for k, v in past.items()}
    blocks = [range(n - 1), [*range(cut), *[PAD_BLOCK] * (n - 1 - cut)]]
    rows = [(ids[-1:], n - 1), (ids[cut : cut + 3], cut)]
    out = call(rows, both, blocks, 8)
    near("decode: rows of a batch", out["logits"], np.stack((want[-1], want[cut + 2])))
    for r, (text, _) in enumerate(((ids, 0), (ids[: cut + 3], 0))):
        tokens = [*text, out["best"][r], *out["written"][:, r]]
        alone = torch_logits(model, np.array(tokens), np.arange(len(tokens)), "ar")[len(text) :]
        near(f"decode: loop, row {r + 1}", out["written"][:, r], alone[:-1].argmax(-1), 0)
        shifted = np.exp(alone[:-1] - alone[:-1].max(-1, keepdims=True))
        near(f"decode: its confidences, row {r + 1}", out["sureness"][:, r], 1 / shifted.sum(-1))


def check_mdlm(model, session: Session, ids: np.ndarray, blocks: np.ndarray, want: np.ndarray) -> None:
    def step(part, block, at, past, past_blocks):
        i32 = lambda x: np.asarray(x, dtype=np.int32)[None]
        feeds = {"input_ids": i32(part), "positions": i32(np.arange(at, at + len(part))), "block_ids": i32(block)}
        return session({**feeds, "past_block_ids": i32(past_blocks), **past})

    n = len(ids)
    one = step(ids, blocks, 0, cache(model, "past", 1), [])
    near("MDLM one pass", one["logits"][0], want)
    z = want - want.max(-1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(-1, keepdims=True)
    order = np.sort(p, -1)
    near("MDLM best", one["best"][0], want.argmax(-1), 0)
    near("MDLM confidence", one["confidence"][0], order[:, -1])
    near("MDLM margin", one["margin"][0], order[:, -1] - order[:, -2])
    near("MDLM entropy", one["entropy"][0], -(p * np.log(np.maximum(p, 1e-30))).sum(-1), 1e-3)
    past, got, at = cache(model, "past", 1), [], 0
    for block in range(blocks.max() + 1):
        size = int((blocks == block).sum())
        out = step(ids[at : at + size], blocks[at : at + size], at, past, blocks[:at])
        past = {k: np.concatenate((v, out[k.replace("past", "present")]), 2) for k, v in past.items()}
        got.append(out["logits"][0])
        at += size
    near("MDLM block by block", np.concatenate(got), want)
    # Two windows in one batch, the second with a shorter prefix (another world), padded in front with unseen keys.
    cut = int((blocks < blocks.max()).sum())
    w, fewer = n - cut, int((blocks == 0).sum())
    other_ids = np.append(ids[:fewer], ids[cut:])
    other_blocks = np.append(blocks[:fewer], blocks[cut:])
    alone = torch_logits(model, other_ids, other_blocks, "mdlm")[fewer:]
    keep = {k: v[:, :, :cut] for k, v in past.items()}
    short = {k: np.zeros_like(v) for k, v in keep.items()}
    for k, v in keep.items():
        short[k][:, :, :fewer] = v[:, :, :fewer]
    i32 = lambda *x: np.stack(x).astype(np.int32)
    out = session(
        {
            "input_ids": i32(ids[cut:], ids[cut:]),
            "positions": i32(np.arange(cut, n), np.arange(fewer, fewer + w)),
            "block_ids": i32(blocks[cut:], blocks[cut:]),
            "past_block_ids": i32(blocks[:cut], np.append(blocks[:fewer], np.full(cut - fewer, PAD_BLOCK))),
            **{k: np.concatenate((keep[k], short[k])) for k in keep},
        }
    )["logits"]
    near("MDLM batch, row 1", out[0], want[cut:])
    near("MDLM batch, row 2 padded", out[1], alone)


def check_window(model, session: Session, ids: np.ndarray, blocks: np.ndarray, want: np.ndarray, causal: bool) -> None:
    """The MDLM's second graph: chosen rows of one pass, and of a pass behind a past that another one gave; the loop against one
    token at a time."""

    def step(at: int, tokens: np.ndarray, block: np.ndarray, past: dict, seen: np.ndarray, read: list[int], more: int = 0, masks: int = 0, least: float = 0.0) -> dict:
        i32 = lambda x: np.asarray(x, dtype=np.int32)
        place = np.arange(at, at + len(tokens))
        feeds = {"input_ids": tokens, "positions": place, "block_ids": block, "past_block_ids": seen}
        loop = {"more": np.array(more, dtype=np.int64), "masks": np.array([masks], dtype=np.int64), "least": np.array(least, dtype=np.float32)}
        return session({**{k: i32(v)[None] for k, v in feeds.items()}, "read": i32(read), "ends": i32([99]), **loop, **past})

    n, cut = len(ids), int((blocks < blocks.max()).sum())
    none, nothing = cache(model, "past", 1, 1), np.array([PAD_BLOCK])
    some = [0, cut - 1, n - 1]
    out = step(0, ids, blocks, none, nothing, some)
    near("MDLM window graph: one pass", out["logits"], want[some])
    near("MDLM window graph: best", out["best"], want[some].argmax(-1), 0)
    z = np.exp(want[some] - want[some].max(-1, keepdims=True))
    near("MDLM window graph: confidence", out["confidence"], 1 / z.sum(-1))
    first = step(0, ids[:cut], blocks[:cut], none, nothing, [cut - 1])
    past = {k: first[k.replace("past", "present")] for k in none}
    out = step(cut, ids[cut:], blocks[cut:], past, blocks[:cut], list(range(n - cut)))
    near("MDLM window graph: behind a past", out["logits"], want[cut:])
    if not causal:
        return
    prompt = np.append(ids[:cut], RESP)
    whole = step(0, prompt, np.arange(cut + 1), none, nothing, [cut])
    for masks, least in ((4, 0.3), (4, 0.0), (1, 0.0), (3, 2.0)):
        tokens = np.append(prompt, [MASK] * masks)
        block = np.append(np.arange(cut + 1), [cut + 1] * masks)
        out = step(0, tokens, block, none, nothing, list(range(cut, cut + 1 + masks)), 7, masks, least)
        written = out["written"]
        text = np.append(prompt, written)
        alone = torch_logits(model, text, np.arange(len(text)), "ar")[cut:-1]
        near(f"MDLM loop, {masks} masks, least {least}: {len(written)} tokens in {out['round'].max() + 1} passes", written, alone.argmax(-1), 0)
        near("MDLM loop: confidences", out["sureness"], 1 / np.exp(alone - alone.max(-1, keepdims=True)).sum(-1))
        again = step(0, text, np.arange(len(text)), none, nothing, [0])
        for i in range(model.c.layers):
            for k in ("key", "value"):
                near("MDLM loop: its cache", out[f"later.{i}.{k}"], again[f"present.{i}.{k}"][:, :, cut + 1 : -1])
                near("MDLM loop: the prompt's", out[f"present.{i}.{k}"][:, :, : cut + 1], whole[f"present.{i}.{k}"])


def main() -> None:
    folder = Path(sys.argv[1])
    config = json.loads((folder / "config.json").read_text())
    kind, test = config["terrarium"]["kind"], config["terrarium"]["selfTest"]
    model, info = load_model(folder)
    session = Session(folder)
    ids, blocks = np.array(test["input_ids"]), np.array(test["block_ids"])
    want = torch_logits(model, ids, blocks, kind)
    if kind == "ar":
        check_ar(model, session, ids, want)
        check_decode(model, Session(folder, "decode"), ids, want)
    else:
        check_mdlm(model, session, ids, blocks, want)
        check_window(model, Session(folder, "decode"), ids, blocks, want, info["causal"])
    golden = np.array([c["logit"] for c in test["checks"]])
    near("self-test", golden, np.array([want[c["position"], c["token"]] for c in test["checks"]]))


if __name__ == "__main__":
    main()
