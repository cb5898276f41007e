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


SHARES = ("parseOk", "statusMatch", "observationExact", "observationExactSuccess", "observationExactError", "deltaExact",
          "deltaExactChanged", "answerExact", "leafF1", "directiveCompliance", "hallucinatedIds")
COSTS = ("nfe", "generatedTokens", "prefillTokens", "forwardTokens", "ms")


def share(scores: dict, key: str) -> str:
    """Mean, what it is out of, and its interval: bootstrap over trajectories, Wilson where that has no width."""
    found = scores.get("intervals", {}).get(key)
    if scores.get(key) is None or not found:
        return ""
    low_high = found["bootstrap"] if found["bootstrap"] and found["bootstrap"][0] < found["bootstrap"][1] else found["wilson"]
    interval = f" [{low_high[0]:.3f}, {low_high[1]:.3f}]" if low_high else ""
    return f"{scores[key]:.3f}{interval} of {found['n']}"


def results_table(path: Path, kind: str) -> list[str]:
    """One table a split: both models and the baseline; below it this model's families."""
    out = []
    for r in rows(path):
        models = r["models"]
        names = [m for m in ("ar", "mdlm", "mostFrequent", "copyNothing") if m in models and "error" not in models[m]]
        out += ["", f"`npm run -s eval -- --split {r['split']} --n {r['n']} --seed {r['seed']} --json`", ""]
        out += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        out += [f"| {k} | " + " | ".join(share(models[m], k) for m in names) + " |" for k in SHARES]
        out += [f"| {k}, mean | " + " | ".join(f"{models[m].get(k) or 0:.1f}" for m in names) + " |" for k in COSTS]
        keys = ("observationExact", "observationExactSuccess", "deltaExactChanged")
        out += ["", "| " + " | ".join(("family", *keys)) + " |", "|---" * (len(keys) + 1) + "|"]
        for family, scores in models.get(kind, {}).get("families", {}).items():
            out.append("| " + " | ".join((family, *(share(scores, k) for k in keys))) + " |")
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
        f"- Corpus: codec {meta['codec']}, seed {meta['seed']}, {meta['size']} trajectories in Terrarium's own twins, all generated;"
        " no text of people.",
        f"- Files: `onnx/model.onnx` ({block['files']['onnx/model.onnx']['bytes']:,} bytes, fp16 weights computed in fp32),"
        " `model.safetensors` (fp16, Hugging Face names).",
        f"- Codec version {block['codec']}; prompts are made by `src/world/codec` only. Shifted output: {str(block['shift']).lower()}.",
        "- Made by `models/training/`; licence MIT.",
        "",
        "It was trained for small synthetic tool worlds and knows nothing else. It invents answers it cannot know. Words, identifiers",
        "and templates it was never trained on (split `unseen`) are its weak side: compare the two tables below.",
        "Core time: the seconds of the curve, on one or two cores shared with builds and tests.",
        "",
    ]
    if logs:
        lines += ["## Training curve", "", "Exact slots on a part of `valid`, greedy; the true slots stand before each one, so `delta` and",
                  "`status` are easier here than in the results below. Seconds count from the start of each run; where they begin anew, a run went",
                  "on from the weights of the one before, some on a wider corpus with a `valid` of its own, so the figures fall there.", "", *curve(logs), ""]
    if results:
        lines += ["## Results", "", "Teacher-forced on the twin's history, greedy, threshold 0.9. An answer with an unreadable slot counts 0 everywhere.",
                  "95% intervals over trajectories; `ms` is one thread of Node on the training machine.", *results_table(results, kind), ""]
    return "\n".join(lines)
