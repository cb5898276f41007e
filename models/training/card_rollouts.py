"""The part of a model card about whole rollouts, from the `results.json` of `npm run lab` on `rollouts.json`."""
from __future__ import annotations

import json
from pathlib import Path


def ratio(over: dict, under: dict) -> str:
    """Share of the twin's successes; empty where it has none."""
    return f"{over['sum'] / under['sum']:.2f}" if under["sum"] else ""


def out_of(value: dict) -> str:
    return f"{value['sum']:g} of {value['n']}"


def surviving(group: dict, step: int) -> str:
    """Kaplan-Meier share of rollouts that are still the twin's, answer by answer, after `step` steps."""
    share = 1.0
    for point in group["survival"]:
        if point["step"] > step:
            break
        share = point["share"]
    return f"{share:.2f}"


def line(name: str, group: dict, twin: dict) -> str:
    first = group["medianSurvival"]
    cells = (
        name,
        group["n"],
        *(surviving(group, step) for step in (1, 2, 5, 10, 20)),
        "none" if first is None else first,
        out_of(group["success"]),
        ratio(group["success"], twin["success"]),
        out_of(group["real"]),
        ratio(group["real"], twin["real"]),
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def rollouts_section(path: Path, kind: str) -> list[str]:
    """Survival, first divergence, consistency ratio and WM2Real of one model, per family and over all."""
    results = json.loads(path.read_text())
    model, twin, spec = results["simulators"][kind], results["simulators"]["twin"], results["spec"]
    head = ("family", "n", "1", "2", "5", "10", "20", "median first divergence", "success", "over the twin's", "WM2Real", "consistency ratio")
    return [
        f"`npm run -s lab -- --spec models/training/rollouts.json --out DIR`: the model's own answers make its history, the expert drives,"
        f" at most {spec['steps']} steps (a task's end comes first), worlds from seed {spec['worlds']['seeds']['from']} on.",
        "Columns 1 to 20: share of rollouts without a wrong answer after so many steps (Kaplan-Meier; the last share where none is so long). `success`: the task is done in the",
        "model's state; `over the twin's`: that over the twin's own successes. `WM2Real`: the same actions, replayed in the twin, do the task;",
        "`consistency ratio`: that over the twin's own successes, as on the page (W2R over Real, arXiv 2512.18832).",
        "",
        "| " + " | ".join(head) + " |",
        "|---" * len(head) + "|",
        line("all", model["all"], twin["all"]),
        *(line(name, group, twin["families"][name]) for name, group in model["families"].items()),
    ]
