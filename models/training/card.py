"""The model card (README.md of a model folder), from the training logs and the results of `npm run eval`."""
from __future__ import annotations

import json
from pathlib import Path

from config import ModelConfig

WHAT = {
    "ar": "Autoregressive text world model: writes a tool's answer left to right.",
    "mdlm": "Masked diffusion text world model: fills the window of a tool's answer in parallel. "
    "A key is visible to a query where its block is not later, so the cache of the prefix is exact.",
}


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def curve(paths: list[Path]) -> list[str]:
    """Validation points of all runs, at most twelve a run."""
    out = ["| stage | seconds | tokens | valid observation | on success | valid delta | status |", "|---|---|---|---|---|---|---|"]
    for path in paths:
        points = [r for r in rows(path) if "valid" in r]
        step = max(1, len(points) // 12)
        for r in points[: -1 : step] + points[-1:]:
            v = r["valid"]
            cells = (r["stage"], round(r["seconds"]), r["tokens"], v["observation"], v["observationOk"], v["delta"], v["status"])
            out.append("| " + " | ".join(map(str, cells)) + " |")
    return out


def results_table(path: Path, kind: str) -> list[str]:
    out = []
    for r in rows(path):
        models = r["models"]
        keys = [k for k in models[kind] if not isinstance(models[kind][k], (dict, list))]
        names = [m for m in ("ar", "mdlm", "copyNothing") if m in models]
        out += ["", f"`{r['split']}`, {r['n']} transitions, seed {r['seed']}:", ""]
        out += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        for k in keys:
            out.append(f"| {k} | " + " | ".join(str(models[m].get(k, "")) for m in names) + " |")
    return out


def card(kind: str, c: ModelConfig, parameters: int, block: dict, meta: dict, logs: list[Path], results: Path | None) -> str:
    tokens = block["trainedTokens"]
    lines = [
        f"# Terrarium {kind} {block['version']}",
        "",
        WHAT[kind],
        "",
        f"- Llama-style decoder, {parameters:,} parameters: hidden {c.hidden}, {c.layers} layers, {c.heads} heads of {c.head_dim},"
        f" feed-forward {c.ffn}, vocabulary {c.vocab}, tied embeddings.",
        f"- Trained on {tokens['ar']:,} tokens as AR"
        + (f", then {tokens['mdlm']:,} tokens (clean and noisy) as MDLM." if kind == "mdlm" else "."),
        f"- Corpus: codec {meta['codec']}, seed {meta['seed']}, {meta['size']} documents of Terrarium's own twins, all generated;"
        " no text of people.",
        f"- Files: `onnx/model.onnx` ({block['files']['onnx/model.onnx']['bytes']:,} bytes, fp16 weights computed in fp32),"
        " `model.safetensors` (fp16, Hugging Face names).",
        f"- Codec version {block['codec']}; prompts are made by `src/world/codec` only. Shifted output: {str(block['shift']).lower()}.",
        "- Made by `models/training/`; licence MIT.",
        "",
        "It was trained for small synthetic tool worlds and knows nothing else. It invents answers it cannot know.",
        "",
    ]
    if logs:
        lines += ["## Training curve", "", "Exact slots on a part of `valid`, greedy.", "", *curve(logs), ""]
    if results:
        lines += ["## Results", *results_table(results, kind), ""]
    return "\n".join(lines)
