"""The model card (README.md of a model folder), from the training logs and the results of `npm run eval`."""
from __future__ import annotations

import json
from pathlib import Path

from card_rollouts import rollouts_section
from config import ModelConfig

WHAT = {
    "ar": "Autoregressive text world model: writes a tool's answer left to right.",
    "mdlm": "Masked diffusion text world model: drafts several tokens of a tool's answer in parallel and checks them in the next pass "
    "(`speculative`), or fills the whole window in any order (`threshold` and others). "
    "A key is visible to a query where its block is not later, so the cache of the prefix is exact.",
}


TARGETS = {
    "test": (("observationExact", 0.9), ("deltaExactChanged", 0.9), ("statusMatch", 0.97), ("directiveCompliance", 0.97), ("hallucinatedIds", 0.01)),
    "unseen": (("observationExact", 0.85), ("deltaExactChanged", 0.85)),
}
"""What the pair is meant to reach; exactness as the mean over families, and ids that exist nowhere as a share below."""
BELOW = ("hallucinatedIds",)


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def evaluations(path: Path) -> list[dict]:
    """The evaluations of a file; runs of one model each on the same transitions are one evaluation."""
    found: dict[tuple, dict] = {}
    for r in rows(path):
        kept = found.setdefault((r["split"], r["n"], r["seed"]), {**r, "models": {}})
        # The MDLM by another sampler stands beside it under the sampler's name.
        name = r.get("settings", {}).get("sampler", {}).get("name", "threshold")
        kept["models"].update({f"mdlm {name}" if m == "mdlm" and name != "speculative" else m: scores for m, scores in r["models"].items()})
    return list(found.values())


def family_mean(scores: dict, key: str) -> float | None:
    """Mean over the families that have any such answer, each counted once."""
    values = [f[key] for f in scores.get("families", {}).values() if f.get(key) is not None]
    return sum(values) / len(values) if values else None


def targets(path: Path, kind: str) -> list[str]:
    """What was aimed at, what was reached, and the families that are furthest from it."""
    out = ["| split | what | target | reached | worst families |", "|---|---|---|---|---|"]
    for r in evaluations(path):
        scores = r["models"].get(kind)
        if not scores:
            continue
        for key, wanted in TARGETS.get(r["split"], ()):
            over = key.endswith(("Exact", "Changed"))
            value = family_mean(scores, key) if over else scores.get(key)
            if value is None:
                continue
            below = key in BELOW
            met = value <= wanted if below else value >= wanted
            per = sorted(((f[key], name) for name, f in scores["families"].items() if f.get(key) is not None), reverse=below)
            worst = ", ".join(f"{name} {x:.2f}" for x, name in per[:3]) if len(per) > 1 else ""
            what = f"{key}, mean over families" if over else key
            bound = f"{'at most' if below else 'at least'} {wanted}"
            out.append(f"| {r['split']} | {what} | {bound} | {value:.3f}, {'met' if met else 'missed'} | {worst} |")
    return out


MISTAKES = {"wrongOutcome": "another outcome", "wrongNumbers": "only numbers wrong", "wrongText": "other text wrong"}


def mistakes(path: Path, kind: str) -> list[str]:
    """How the observations are wrong that are, family by family, those with the fewest right ones first; a split of one family is a line."""
    out = ["| split, family | exact | " + " | ".join(MISTAKES.values()) + " |", "|---" * (2 + len(MISTAKES)) + "|"]
    for r in evaluations(path):
        families = r["models"].get(kind, {}).get("families", {})
        for name, f in sorted(families.items(), key=lambda pair: pair[1]["observationExact"]):
            cells = [f"{f[key]:.2f}" for key in ("observationExact", *MISTAKES)]
            out.append("| " + " | ".join((f"{r['split']}, {name}", *cells)) + " |")
    return out


def core_hours(logs: list[Path]) -> float:
    """Sum of the runs' hours on two virtual cores."""
    return 2 * sum(max(r["seconds"] for r in rows(path)) for path in logs) / 3600


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
    for r in evaluations(path):
        models = r["models"]
        names = [m for m in ("ar", "mdlm", "mdlm threshold", "mostFrequent", "copyNothing") if m in models and "error" not in models[m]]
        out += ["", f"`npm run -s eval -- --split {r['split']} --n {r['n']} --seed {r['seed']} --json`", ""]
        out += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        out += [f"| {k} | " + " | ".join(share(models[m], k) for m in names) + " |" for k in SHARES]
        out += [f"| {k}, mean | " + " | ".join(f"{models[m].get(k) or 0:.1f}" for m in names) + " |" for k in COSTS]
        keys = ("observationExact", "observationExactSuccess", "deltaExactChanged")
        out += ["", "| " + " | ".join(("family", *keys)) + " |", "|---" * (len(keys) + 1) + "|"]
        for family, scores in models.get(kind, {}).get("families", {}).items():
            out.append("| " + " | ".join((family, *(share(scores, k) for k in keys))) + " |")
    return out


INTENDED = """It stands in for the tools of an agent in the twins' worlds: to try agents, steering and samplers in the browser, and to compare
the two ways of writing. It is not made for real tools, for text of people, or for deciding whether an agent is safe. It knows
small synthetic worlds and nothing else, and it invents answers it cannot know."""


def aims(results: Path, kind: str, why: Path | None) -> list[str]:
    lines = ["## What was aimed at", "", *targets(results, kind), ""]
    lines += ["Where observations go wrong, as shares of all answers of a family: another outcome is another status than the twin's (or nothing readable).", ""]
    return lines + [*mistakes(results, kind), "", *([why.read_text().strip(), ""] if why else [])]


def card(kind: str, c: ModelConfig, parameters: int, block: dict, meta: dict, logs: list[Path], results: Path | None, examples: Path | None = None, rollouts: Path | None = None, why: Path | None = None) -> str:
    tokens = block["trainedTokens"]
    lines = [
        f"# Terrarium {kind} {block['version']}",
        "",
        WHAT[kind],
        "",
        *(aims(results, kind, why) if results else []),
        "## The model",
        "",
        f"- Llama-style decoder, {parameters:,} parameters: hidden {c.hidden}, {c.layers} layers, {c.heads} heads of {c.head_dim},"
        f" feed-forward {c.ffn}, vocabulary {c.vocab}, tied embeddings.",
        f"- Trained on {tokens['ar']:,} tokens as AR"
        + (f", then {tokens['mdlm']:,} tokens (clean and noisy) as MDLM." if kind == "mdlm" else "."),
        f"- Corpus (of the last run; earlier runs had other seeds): codec {meta['codec']}, seed {meta['seed']}, {meta['size']} trajectories in Terrarium's own twins, all generated;"
        " no text of people.",
        f"- Files: `onnx/model.onnx` ({block['files']['onnx/model.onnx']['bytes']:,} bytes, fp16 weights computed in fp32),"
        " `model.safetensors` (fp16, Hugging Face names).",
        f"- Codec version {block['codec']}; prompts are made by `src/world/codec` only. Shifted output: {str(block['shift']).lower()}.",
        *(["- Causal prefix: a prompt's token sees those before it, as in the AR model it was trained from; a window sees itself and the prompt."] if block["causalPrefix"] else []),
        "- Made by `models/training/`; licence MIT.",
        "",
        "## Intended use",
        "",
        INTENDED,
        "",
    ]
    if logs:
        lines += ["## Training curve", "", f"Core-hours of the runs below: {core_hours(logs):.2f} (two threads on two virtual cores, shared with builds and tests).", "", "Exact slots on a part of `valid`, greedy; the true slots stand before each one, so `delta` and",
                  "`status` are easier here than in the results below. Seconds count from the start of each run; where they begin anew, a run went",
                  "on from the weights of the one before, some on a wider corpus with a `valid` of its own, so the figures fall there.", "", *curve(logs), ""]
    if results:
        lines += ["## Results", "", "Teacher-forced on the twin's history, greedy; the MDLM by the sampler `speculative`, and under `mdlm threshold` by `--threshold 0.9`.",
                  "An answer with an unreadable slot counts 0 everywhere. 95% intervals over trajectories; `ms` is one thread of Node on the training machine.", *results_table(results, kind), ""]
    if rollouts:
        lines += ["## Whole rollouts", "", *rollouts_section(rollouts, kind), ""]
    if examples:
        lines += ["## Wrong answers", "", f"`npm run -s eval -- --split test --n 100 --seed 1 --model {kind} --show 6 --wrong`: evenly spaced among the wrong ones; "
                  "the twin's answer first, what was predicted below it where it differs.", "", "```text", examples.read_text().split("\nsplit ")[0].strip(), "```", ""]
    return "\n".join(lines)
