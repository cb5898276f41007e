"""The part of a model card about whole rollouts, from the `results.json` of `npm run lab` on `rollouts.json`."""
from __future__ import annotations

import json
from pathlib import Path


STEPS = (1, 2, 5, 10, 20)
"""Steps at which the survival curve is told."""


def ratio(over: dict, under: dict) -> str:
    """Share of the twin's successes; empty where it has none."""
    return f"{over['sum'] / under['sum']:.2f}" if under["sum"] else ""


def out_of(value: dict) -> str:
    return f"{value['sum']:g} of {value['n']}"


def surviving(group: dict, step: int) -> str:
    """Kaplan-Meier share of rollouts that are still the twin's, answer by answer, after `step` steps, and how many were at risk at
    that step; empty where none was, unless none was left to be."""
    points = [p for p in group["survival"] if p["step"] <= step]
    if not points or (points[-1]["step"] < step and points[-1]["share"] > 0):
        return ""
    share = f"{points[-1]['share']:.2f}"
    return f"{share} ({points[-1]['atRisk']})" if points[-1]["step"] == step else share


def line(name: str, group: dict, twin: dict) -> str:
    first = group["medianSurvival"]
    cells = (
        name,
        group["n"],
        *(surviving(group, step) for step in STEPS),
        "none" if first is None else first,
        out_of(group["success"]),
        ratio(group["success"], twin["success"]),
        out_of(group["real"]),
        ratio(group["real"], twin["real"]),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def interval_of(group: dict, step: int) -> str:
    found = next((p["interval"] for p in group["survival"] if p["step"] == step), None)
    return f"{found[0]:.2f} to {found[1]:.2f}" if found else "none"


def rollouts_section(path: Path, kind: str) -> list[str]:
    """Survival, first divergence, consistency ratio and WM2Real of one model, per family and over all."""
    results = json.loads(path.read_text())
    model, twin, spec = results["simulators"][kind], results["simulators"]["twin"], results["spec"]
    intervals = ", ".join(f"{interval_of(model['all'], step)} after {step}" for step in STEPS[:3])
    head = ("family", "n", *map(str, STEPS), "median first divergence", "success", "in the model / in the twin", "WM2Real", "W2R / Real")
    return [
        f"`npm run -s lab -- --spec models/training/rollouts.json --out DIR`: the model's own answers make its history; the expert drives, and random calls once its task"
        f" is done, {spec['steps']} steps in all; worlds from seed {spec['worlds']['seeds']['from']} on.",
        "Columns 1 to 20: share of rollouts without a wrong answer after so many steps (Kaplan-Meier), and how many were at risk at that step: a rollout counts up to its first wrong",
        "answer. `success`: the task was done in the model's state; `in the model / in the twin`: consistency ratio of task success, that over the twin's own successes. `WM2Real`: the",
        "same actions, replayed in the twin, do the task; `W2R / Real`: that over the twin's own successes, which the page calls consistency ratio (arXiv 2512.18832).",
        f"95% intervals over all, from rollouts drawn again: {intervals}.",
        "",
        "| " + " | ".join(head) + " |",
        "|---" * len(head) + "|",
        line("all", model["all"], twin["all"]),
        *(line(name, group, twin["families"][name]) for name, group in model["families"].items()),
    ]
