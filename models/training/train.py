"""
Trains the AR model, or the MDLM from it, within a budget of time.

    python train.py --stage ar   --corpus DIR --out DIR --minutes 60
    python train.py --stage mdlm --corpus DIR --out DIR --minutes 60 --init RUN_AR/final.pt --shift --causal --clean 1.0 --drafts 0.5

Settings and their defaults: config.py. The schedule (warm-up, constant, linear decay to zero) runs over the time budget, counted per
step with outliers capped, so a run that is stopped (SIGSTOP) and continued loses nothing. With --deadline HH:MM the budget is what is
left until then, so there a stop does lose its time; with --tokens it is counted in tokens, which is what comparing two settings on a
busy machine needs. Writes last.pt (every five minutes and when it is told to end; the same command with --resume continues it, with
documents in another order), stable.pt (before the decay), final.pt, log.jsonl (settings first) and log.csv.
"""
from __future__ import annotations

import argparse
import json
import signal
import time
from dataclasses import fields, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import torch

import checkpoint
from config import EVAL_N, FIRST_TEXT, MASK, PAD_0, PAD_CYCLE, SIZES, Run, WindowOptions
from data import Split, Vocabulary, ar_batches
from evaluate import evaluate_ar, evaluate_mdlm
from model import Decoder, parameter_count
from objective import Task
from optim import make_optimizers
from windows import mdlm_batches


class Clock:
    """Seconds spent working: the sum of step times, each counted at most as twice the usual one."""

    def __init__(self, active: float = 0.0):
        self.active, self.usual, self.last = active, None, time.perf_counter()

    def tick(self) -> None:
        now = time.perf_counter()
        step, self.last = now - self.last, now
        if self.usual is None:
            self.usual = step
        self.active += min(step, 2 * self.usual)
        self.usual += 0.1 * (min(step, 3 * self.usual) - self.usual)

    def skip(self) -> None:
        """What passed since the last tick (evaluation, saving) counts fully."""
        now = time.perf_counter()
        self.active += min(now - self.last, 120.0)
        self.last = now


def next_time(clock: str, now: datetime) -> datetime:
    """The next time it is HH:MM, which may be tomorrow."""
    hour, minute = map(int, clock.split(":"))
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return then if then > now else then + timedelta(days=1)


def scale_at(progress: float, step: int, warmup: int, decay: float) -> float:
    """Of the learning rates: rises over `warmup` steps, falls over the last share `decay` of the budget; 0 means neither."""
    return min(1.0, (step + 1) / max(1, warmup)) * (min(1.0, max(0.0, (1 - progress) / decay)) if decay else 1.0)


def add_flags(ask: argparse.ArgumentParser, kind: type) -> None:
    """A flag for every `setting` of a dataclass: `lr_adam` is --lr-adam, with the field's default."""
    for f in filter(lambda f: f.metadata, fields(kind)):
        how = {"action": "store_true"} if isinstance(f.default, bool) else {"type": type(f.default), "choices": f.metadata["choices"]}
        ask.add_argument("--" + f.name.replace("_", "-"), default=f.default, help=f"{f.metadata['help']} (default: %(default)s)", **how)


def take(kind: type, args: argparse.Namespace):
    """The dataclass with what its flags say."""
    return kind(**{f.name: getattr(args, f.name) for f in fields(kind)})


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--stage", choices=("ar", "mdlm"), required=True)
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--init", type=Path, help="checkpoint or model folder to start from")
    ask.add_argument("--add-difference", type=Path, nargs=2, metavar=("PLUS", "MINUS"), help="start from --init + PLUS - MINUS")
    ask.add_argument("--init-tokenizer", type=Path, help="tokenizer.json of --init where the corpus has another one")
    ask.add_argument("--layers", type=int, help="more layers than --init has; the new ones change nothing at first")
    ask.add_argument("--resume", action="store_true", help="go on from last.pt of --out, if it is there")
    ask.add_argument("--shift", action=argparse.BooleanOptionalAction, help="MDLM reads the prediction of a place at the one before it")
    ask.add_argument("--causal", action=argparse.BooleanOptionalAction, help="MDLM whose clean tokens see only those before them")
    ask.add_argument("--no-compile", action="store_true")
    for kind in (Run, WindowOptions):
        add_flags(ask, kind)
    args = ask.parse_args(argv)
    saved = checkpoint.latest(args.out) if args.resume else None
    args.source, args.resumed = saved or args.init, saved is not None
    for name in ("add_difference", "init_tokenizer", "layers"):
        if getattr(args, name) and not args.init:
            ask.error(f"--{name.replace('_', '-')} changes the model that --init names, and there is none")
    if args.add_difference and args.stage != "mdlm":
        ask.error("--add-difference makes an MDLM, which needs --stage mdlm")
    settle(ask, args)
    if (args.clean or args.drafts) and not (args.causal and args.shift):
        ask.error("--clean and --drafts predict next tokens, which needs an MDLM with --causal and --shift")
    args.eval_n = args.eval_n or EVAL_N[args.stage]
    return args


def settle(ask: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """How the model reads and writes (`shift`, `causal`): as the MDLM it goes on from, where there is one, else as the flags say."""
    origin = args.add_difference[0] if args.add_difference and not args.resumed else args.source
    was = checkpoint.describe(origin) if origin else {"kind": None}
    if args.resumed and was["kind"] != args.stage:
        ask.error(f"{origin} is of --stage {was['kind']}: give that, or another --out")
    for name in ("shift", "causal"):
        given = getattr(args, name)
        if args.stage == was["kind"] == "mdlm":
            if given not in (None, was[name]):
                ask.error(f"{origin} was trained {'with' if was[name] else 'without'} --{name}, and an MDLM goes on as it was trained: "
                          f"leave the flag out, or start another MDLM with --init and an AR model")
            given = was[name]
        setattr(args, name, args.stage == "mdlm" and bool(given))
    args.shift |= args.stage == "ar"


def start(args, device: str):
    """-> model, optimizers, and what a resumed run carries over (`first`: its tokens at the start; `stable`: stable.pt is written)."""
    source, saved = args.source, args.resumed
    compiled = not args.no_compile and args.size != "micro"
    dtype = torch.bfloat16 if args.size != "micro" else torch.float32
    if source:
        model, info = checkpoint.load_model(source, dtype, compiled)
        if not saved and args.add_difference:
            plus, minus = (checkpoint.load_model(path) for path in args.add_difference)
            info = checkpoint.add_difference(model, info, plus, minus)
        if not saved and args.init_tokenizer:
            old, new = Vocabulary(args.init_tokenizer), Vocabulary(args.corpus / "tokenizer.json")
            model = checkpoint.adopt_vocabulary(model, old, new)
        if not saved and args.layers:
            model = checkpoint.grow(model, args.layers)
    else:
        entries = len(Vocabulary(args.corpus / "tokenizer.json").tokens)
        model = Decoder(replace(SIZES[args.size], vocab=entries), dtype, compiled)
        info = {"kind": args.stage, "shift": args.stage == "ar", "causal": False, "tokens": {"ar": 0, "mdlm": 0}}
    if args.stage == "mdlm" and info["kind"] == "ar" and source:
        with torch.no_grad():
            # Masks and pads were only ever wrong answers to the AR model: their rows start from the others' middle.
            mean, rows = model.embed[FIRST_TEXT:].mean(0), [MASK, *range(PAD_0, PAD_0 + PAD_CYCLE)]
            model.embed[rows] = mean + torch.randn(len(rows), mean.shape[0]) * model.embed[FIRST_TEXT:].std() * 0.5
    model.to(device)
    optimizers = make_optimizers(model, take(Run, args))
    state = {"step": 0, "active": 0.0, "tokens": dict(info["tokens"]), "first": info["tokens"][args.stage], "stable": False}
    if saved:
        content = checkpoint.load(source)
        for optimizer, stored in zip(optimizers, content["optimizers"]):
            optimizer.load_state_dict(stored)
        # Checkpoints from before `first` and `stable` were kept begin a new budget.
        state.update({k: content[k] for k in ("step", "active", "first", "stable") if k in content})
    return model, optimizers, state


def batches(args, split: Split, vocabulary: Vocabulary, seed: int):
    rng = np.random.default_rng(seed)
    if args.stage == "ar":
        return ar_batches(split, rng, take(Run, args))
    return mdlm_batches(split, vocabulary.punctuation, rng, args.micro_tokens, take(WindowOptions, args))


def main(argv: list[str] | None = None) -> None:
    args = parse(argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    args.out.mkdir(parents=True, exist_ok=True)
    model, optimizers, state = start(args, device)
    vocabulary = Vocabulary(args.corpus / "tokenizer.json")
    train, valid = Split(args.corpus / "train.bin"), Split(args.corpus / "valid.bin")
    stream = batches(args, train, vocabulary, args.seed + 7919 * state["step"])
    task, clock = Task(args.stage, args.shift, device), Clock(state["active"])
    stop = []
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: stop.append(True))
    say = lambda text: print(f"{datetime.now():%H:%M:%S} {text}", flush=True)
    say(f"{args.stage} {parameter_count(model)} parameters, {len(train)} documents, {train.lengths.sum()} tokens, {device}")

    row = {"stage": args.stage, "step": state["step"], "seconds": round(clock.active, 1)}
    checkpoint.append_log(args.out, row | {"settings": vars(args) | {"device": device, "torch": torch.__version__}})
    until = next_time(args.deadline, datetime.now()) if args.deadline else None
    if until and not args.tokens:
        say(f"until {until:%Y-%m-%d %H:%M}")

    def progress() -> float:
        if args.tokens:
            return (state["tokens"][args.stage] - state["first"]) / (1e6 * args.tokens)
        if until:
            left = (until - datetime.now()).total_seconds()
            return clock.active / (clock.active + left) if left > 0 else 1.0
        return clock.active / (60 * args.minutes)

    def save(name: str) -> None:
        checkpoint.save(
            args.out / name,
            model={k: v.cpu() for k, v in model.state_dict().items()},
            optimizers=[o.state_dict() for o in optimizers],
            config=model.c.to_dict(),
            kind=args.stage,
            shift=args.shift,
            causal=args.causal,
            **state | {"active": clock.active},
        )

    def check(n: int) -> dict:
        if args.stage == "ar":
            return evaluate_ar(model, valid, vocabulary, n)
        return evaluate_mdlm(model, valid, vocabulary, n, args.shift, args.causal, limit=args.eval_passes)

    said = evaluated = kept = clock.active
    counted = state["tokens"][args.stage]
    losses: list[float] = []
    while progress() < 1 and not stop:
        now = progress()
        if now > 1 - args.decay and not state["stable"]:
            state["stable"] = True
            save("stable.pt")
        scale = scale_at(now, state["step"], args.warmup, args.decay)
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["base"] * scale
        parts = [next(stream)]
        while sum(b.ids.size for b in parts) < 0.8 * args.step_tokens:
            parts.append(next(stream))
        total, value = sum(float(b.weight.sum()) for b in parts), 0.0
        for part in parts:
            loss = task.loss(model, part) / total
            loss.backward()
            value += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        losses.append(value)
        state["step"] += 1
        state["tokens"][args.stage] += sum(b.tokens for b in parts)
        clock.tick()
        due = clock.active - evaluated > 60 * args.eval_minutes
        if clock.active - said > args.log_seconds or due:
            row = {
                "stage": args.stage,
                "step": state["step"],
                "seconds": round(clock.active, 1),
                "tokens": state["tokens"][args.stage],
                "tokens_per_second": round((state["tokens"][args.stage] - counted) / (clock.active - said)),
                "loss": round(float(np.mean(losses)), 4),
                "scale": round(scale, 3),
            }
            if due:
                row["valid"] = check(args.eval_n)
                clock.skip()
                evaluated = clock.active
            say(json.dumps(row))
            checkpoint.append_log(args.out, row)
            said, losses, counted = clock.active, [], state["tokens"][args.stage]
        if clock.active - kept > 60 * args.save_minutes:
            save("last.pt")
            kept = clock.active
    save("last.pt")
    if not stop:
        save("final.pt")
        row = {"stage": args.stage, "step": state["step"], "seconds": round(clock.active, 1), "final": True}
        row |= {"tokens": state["tokens"][args.stage], "valid": check(2 * args.eval_n)}
        say(json.dumps(row))
        checkpoint.append_log(args.out, row)


if __name__ == "__main__":
    main()
