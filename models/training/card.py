"""The model card (README.md of a model folder), from the training logs and the results of `npm run eval`."""
from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
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


@dataclass
class Evidence:
    """What a card tells beside the model itself."""

    logs: list[Path] = field(default_factory=list)
    """log.jsonl of the runs, in order."""
    results: Path | None = None
    """The JSON of `npm run eval`, one object a line."""
    examples: Path | None = None
    """What `npm run eval -- --show 6 --wrong` printed, perhaps of several splits."""
    rollouts: Path | None = None
    """results.json of `npm run lab` on rollouts.json."""
    why: Path | None = None
    """Why targets are missed."""
    pair: int | None = None
    """Training tokens of the pair's other model, where it is of the same version."""


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def evaluations(path: Path, version: str) -> list[dict]:
    """The evaluations of a file; runs of one model each on the same transitions are one evaluation.

    Raises ValueError for results of another version of the pair, and for a model that gave none."""
    found: dict[tuple, dict] = {}
    for r in rows(path):
        for name, scores in r["models"].items():
            if "error" in scores:
                raise ValueError(f"{path}: {name} on {r['split']} failed: {scores['error']}")
            if scores["run"].get("version", version) != version:
                raise ValueError(f"{path}: {name} on {r['split']} is of {scores['run']['version']}, the card of {version}; evaluate again")
        kept = found.setdefault((r["split"], r["n"], r["seed"]), {**r, "models": {}})
        # The MDLM by another sampler stands beside it under the sampler's name.
        name = r.get("settings", {}).get("sampler", {}).get("name", "threshold")
        kept["models"].update({f"mdlm {name}" if m == "mdlm" and name != "speculative" else m: scores for m, scores in r["models"].items()})
    return list(found.values())


def family_mean(scores: dict, key: str) -> float | None:
    """Mean over the families that have any such answer, each counted once."""
    values = [f[key] for f in scores.get("families", {}).values() if f.get(key) is not None]
    return sum(values) / len(values) if values else None


def targets(found: list[dict], kind: str) -> list[str]:
    """What was aimed at, what was reached, and the families that are furthest from it."""
    out = ["| split | what | target | reached | worst families |", "|---|---|---|---|---|"]
    for r in found:
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


BASELINES = ("mostFrequent", "copyNothing")


def beside_baselines(found: list[dict], kind: str) -> list[str]:
    """Whether a model is above answers that need none, on the splits it was not trained for; told apart by 95% intervals."""
    out = ["| split | what | this model | most frequent answer | copying nothing | |", "|---|---|---|---|---|---|"]
    for r in found:
        if r["split"] == "test" or kind not in r["models"]:
            continue
        for key in ("observationExact", "statusMatch", "deltaExact", "deltaExactChanged"):
            own, others = bounds(r["models"][kind], key), [bounds(r["models"][name], key) for name in BASELINES]
            above, below = all(own[0] > high for _, high in others), any(own[1] < low for low, _ in others)
            verdict = "above both" if above else "below one" if below else "not told apart from the better"
            cells = (r["split"], key, *(f"{r['models'][name][key]:.3f}" for name in (kind, *BASELINES)), verdict)
            out.append("| " + " | ".join(cells) + " |")
    return out


MISTAKES = {"wrongOutcome": "another outcome", "wrongNumbers": "only numbers wrong", "wrongText": "other text wrong"}


def mistakes(found: list[dict], kind: str) -> list[str]:
    """How the observations are wrong that are, family by family, those with the fewest right ones first; a split of one family is a line."""
    out = ["| split, family | exact | " + " | ".join(MISTAKES.values()) + " |", "|---" * (2 + len(MISTAKES)) + "|"]
    for r in found:
        families = r["models"].get(kind, {}).get("families", {})
        for name, f in sorted(families.items(), key=lambda pair: pair[1]["observationExact"]):
            cells = [f"{f[key]:.2f}" for key in ("observationExact", *MISTAKES)]
            out.append("| " + " | ".join((f"{r['split']}, {name}", *cells)) + " |")
    return out


def core_hours(logs: list[Path], device: str = "cpu") -> float:
    """Hours times threads of the runs on CPUs, or hours of those on another device (`cuda`). A row with settings begins a run or goes on with
    one; logs from before there were such rows are of two threads, and there a run begins where the seconds fall."""
    total = 0.0
    for path in logs:
        on, threads, last = "cpu", 2, 0.0
        for r in rows(path):
            if "settings" in r:
                on, threads, last = r["settings"]["device"], r["settings"]["threads"], r["seconds"]
            last = last if r["seconds"] >= last else 0.0
            total += (r["seconds"] - last) * (threads if on == "cpu" else 1) * (on == device)
            last = r["seconds"]
    return total / 3600


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


def bounds(scores: dict, key: str) -> list[float] | None:
    """95% interval: bootstrap over trajectories, Wilson where that has no width, none where neither says anything."""
    found = scores["intervals"][key]
    return found["bootstrap"] if found["bootstrap"] and found["bootstrap"][0] < found["bootstrap"][1] else found["wilson"]


def share(scores: dict, key: str) -> str:
    """Mean, its interval and what it is out of."""
    found = scores.get("intervals", {}).get(key)
    if scores.get(key) is None or not found:
        return ""
    low_high = bounds(scores, key)
    interval = f" [{low_high[0]:.3f}, {low_high[1]:.3f}]" if low_high else ""
    return f"{scores[key]:.3f}{interval} of {found['n']}"


def results_table(found: list[dict], kind: str) -> list[str]:
    """One table a split: both models and the baseline; below it this model's families."""
    out = []
    for r in found:
        models = r["models"]
        names = [m for m in ("ar", "mdlm", "mdlm threshold", "mostFrequent", "copyNothing") if m in models and "error" not in models[m]]
        out += ["", f"`npm run -s eval -- --split {r['split']} --n {r['n']} --seed {r['seed']} --json`", ""]
        out += ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        out += [f"| {k} | " + " | ".join(share(models[m], k) for m in names) + " |" for k in SHARES]
        out += [f"| {k}, mean | " + " | ".join(f"{models[m].get(k) or 0:.1f}" for m in names) + " |" for k in COSTS]
        if "mdlm threshold" in names:
            out += ["", "`mdlm threshold`: the same with `--model mdlm --sampler threshold --threshold 0.9`."]
        sizes = models.get(kind, {}).get("byChangedFields", {}).items()
        if sizes:
            told = ", ".join(f"{fields}: {v['exact']:.3f} of {v['n']}" for fields, v in sizes)
            out += ["", f"Delta exact by the number of fields the twin changes, {kind}: {told}."]
        keys = ("observationExact", "observationExactSuccess", "deltaExactChanged", "statusMatch", "directiveCompliance", "hallucinatedIds")
        out += ["", "| " + " | ".join(("family", *keys)) + " |", "|---" * (len(keys) + 1) + "|"]
        for family, scores in models.get(kind, {}).get("families", {}).items():
            out.append("| " + " | ".join((family, *(share(scores, k) for k in keys))) + " |")
    return out


DATA = """Shares of the families, errors and directives: docs/worlds.md. Training has
`wild` beside the eleven families of the measure, procedural records under made-up names. Four documents of ten are encoded with BPE dropout (0.1), and in a tenth of the
turns the directives are hidden behind `?`, so that guidance has a model without them."""

INTENDED = """It stands in for the tools of an agent in the twins' worlds: to try agents, steering and samplers in the browser, and to compare
the two ways of writing. It is not made for real tools, for text of people, or for deciding whether an agent is safe. It knows
small synthetic worlds and nothing else, and it invents answers it cannot know."""


def aims(found: list[dict], kind: str, why: Path | None) -> list[str]:
    lines = ["## What was aimed at", "", "From the results below.", "", *targets(found, kind), "", *([why.read_text().strip(), ""] if why else [])]
    lines += ["Where observations go wrong, as shares of all answers of a family: another outcome is another status than the twin's (or nothing readable).", ""]
    lines += [*mistakes(found, kind), "", "Against answers that need no model, on families that were not trained on:", "", *beside_baselines(found, kind), ""]
    return lines


def budgets(kind: str, tokens: dict, pair: int | None) -> str:
    own = f"{tokens['ar']:,} tokens as AR" + (f", then {tokens['mdlm']:,} tokens (clean and noisy) as MDLM" if kind == "mdlm" else "")
    other = "" if pair is None else f"; the {'AR model' if kind == 'mdlm' else 'MDLM'} of this version on {pair:,} in all"
    return f"- Budget: trained on {own}{other}."


def card(kind: str, c: ModelConfig, parameters: int, block: dict, meta: dict, evidence: Evidence) -> str:
    found = evaluations(evidence.results, block["version"]) if evidence.results else []
    sizes = ", ".join(f"`{name}` {file['bytes']:,} bytes" for name, file in block["files"].items())
    lines = [
        f"# Terrarium {kind} {block['version']}",
        "",
        WHAT[kind],
        "",
        *(aims(found, kind, evidence.why) if found else []),
        "## The model",
        "",
        f"- Llama-style decoder, {parameters:,} parameters: hidden {c.hidden}, {c.layers} layers, {c.heads} heads of {c.head_dim},"
        f" feed-forward {c.ffn}, vocabulary {c.vocab}, tied embeddings.",
        budgets(kind, block["trainedTokens"], evidence.pair),
        f"- Files: {sizes} (fp16 weights computed in fp32), and `model.safetensors` (fp16, Hugging Face names).",
        f"- Codec version {block['codec']}; prompts are made by `src/world/codec` only. Shifted output: {str(block['shift']).lower()}.",
        *(["- Causal prefix: a prompt's token sees those before it, as in the AR model it was trained from; a window sees itself and the prompt."] if block["causalPrefix"] else []),
        "- Made by `models/training/`; licence MIT, as the repository.",
        "",
        "## Intended use",
        "",
        INTENDED,
        "",
        "## Data",
        "",
        f"Trajectories in Terrarium's own twins, all generated; no text of people. The last run's corpus has {meta['size']:,} of them (`npm run corpus -- --size {meta['size']} --seed {meta['seed']}`,",
        f"codec {meta['codec']}); earlier runs had other seeds, and before version 7 other shares of the families. {DATA}",
        "",
    ]
    if evidence.logs:
        lines += ["## Training curve", "", f"`--log` of models/training/runs/. Core-hours of these runs: {core_hours(evidence.logs):.2f} (two threads on two virtual cores, shared with builds and tests; runs that were given up are not among them).", "", "Exact slots on a part of `valid`, greedy; the true slots stand before each one, so `delta` and",
                  "`status` are easier here than in the results below. Seconds count from the start of each run; where they begin anew, a run went",
                  "on from the weights of the one before, some on a wider corpus with a `valid` of its own, so the figures fall there.", "", *curve(evidence.logs), ""]
    if found:
        lines += ["## Results", "", "Teacher-forced on the twin's history, greedy; the MDLM by the sampler `speculative`, and under `mdlm threshold` by `--threshold 0.9`.",
                  "An answer with an unreadable slot counts 0 everywhere. 95% intervals over trajectories; `ms` is one thread of Node on the training machine.", *results_table(found, kind), ""]
    if evidence.rollouts:
        lines += ["## Whole rollouts", "", *rollouts_section(evidence.rollouts, kind), ""]
    if evidence.examples:
        lines += ["## Wrong answers", "", *wrong_answers(evidence.examples, kind), ""]
    return "\n".join(lines)


def wrong_answers(path: Path, kind: str) -> list[str]:
    """The examples of each run of `npm run eval -- --show 6 --wrong` in a file, without its tables."""
    lines = ["Evenly spaced among the wrong ones; the twin's answer first, what was predicted below it where it differs."]
    told: list[str] = []
    for line in path.read_text().splitlines():
        if line.startswith("split "):
            split, n, seed = re.match(r"split (\w+), (\d+) transitions, seed (\d+)", line).groups()
            lines += ["", f"`npm run -s eval -- --split {split} --n {n} --seed {seed} --model {kind} --show 6 --wrong`:", "", "```text", "\n".join(told).strip(), "```"]
            told = []
        elif line.startswith(f"{kind} · "):
            told += ["", line]
        elif told and line.startswith("  "):
            told.append(line)
    return lines
