"""
Checks of the data and the masks, on documents made here: `python tests.py`. Exported graphs are checked by parity.py.
"""
from __future__ import annotations

import io
import json
import signal
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import torch

import checkpoint
import train
from attention import additive, attend
from card import core_hours, curve
from checkpoint import add_difference, adopt_vocabulary, grow
from config import (
    CALL, DRAFT_SIZES, END, FIRST_TEXT, MASK, PAD_0, RESP, RULES, SIZES, SLOT_SIZES, SLOTS, START_SIZES, STATE, TASK, TOOLS, TURN,
    ModelConfig, WindowOptions,
)
from data import answer_mask, ar_batch, block_ids, clean_blocks, length_batches, padded_length, responses
from model import Decoder, View
from objective import Task
from optim import orthogonalise
from sampler import Window, clean_cache, commit, one_pass, sample
from windows import Levels, Row, fill_window, masks, mdlm_batch, slot_size

PUNCTUATION = np.zeros(65536, dtype=bool)
PUNCTUATION[[20, 21]] = True


def document(rng: np.random.Generator, turns: int = 3) -> np.ndarray:
    text = lambda a, b: rng.integers(FIRST_TEXT, 300, int(rng.integers(a, b))).tolist()
    doc = [RULES, *text(3, 9), TOOLS, *text(3, 9), STATE, *text(3, 9), TASK, *text(1, 5)]
    for _ in range(turns):
        doc += [TURN, *text(0, 3), CALL, *text(2, 6), RESP, *text(1, 40), END, *text(0, 20), END, *text(1, 3), END]
    return np.array(doc)


def test_documents(rng) -> None:
    doc = document(rng)
    blocks, answers = block_ids(doc), responses(doc)
    assert blocks[0] == 0 and blocks[-1] == 6 and len(answers) == 3
    assert [a.block for a in answers] == [2, 4, 6]
    whole = np.concatenate([np.concatenate([np.append(s, END) for s in a.slots]) for a in answers])
    assert (doc[answer_mask(doc)] == whole).all()
    batch = ar_batch([doc, doc[:20]], None)
    at = np.flatnonzero(batch.weight[0])
    assert (batch.ids[0, at + 1] == whole).all()
    groups = length_batches(rng.integers(100, 500, 200), 4000, rng)
    assert sorted(np.concatenate(groups).tolist()) == list(range(200))


def test_growth(rng) -> None:
    """More layers change nothing until they are trained, and take part in it then."""
    model = Decoder(SIZES["micro"])
    more = grow(model, 4)
    ids = torch.from_numpy(document(rng))[None]
    at = torch.arange(ids.shape[1])
    view = View(additive((at[None, :] <= at[:, None])[None], torch.float32))
    with torch.no_grad():
        one, other = (m.logits(m(ids, at[None], view)[0]) for m in (model, more))
    assert torch.equal(one, other) and len(more.layers) == 4
    more.logits(more(ids, at[None], view)[0]).square().sum().backward()
    assert all(layer.out.grad.abs().sum() > 0 for layer in more.layers)


def test_windows(rng) -> None:
    options = WindowOptions()
    for _ in range(300):
        answer = responses(document(rng, 1))[0]
        truth, slots = fill_window(answer, PUNCTUATION, rng, options)
        assert truth[0] == RESP and slots[0] == -1
        for i, name in enumerate(SLOTS):
            body = truth[slots == i]
            assert len(body) in SLOT_SIZES[name]
            text = body[(body >= FIRST_TEXT)]
            assert (text == answer.slots[i][: len(text)]).all()
            if END in body:
                at = body.tolist().index(END)
                tail = body[at + 1 :]
                assert len(text) == len(answer.slots[i]) and (tail == PAD_0 + np.arange(len(tail)) % 8).all()
            else:
                assert len(answer.slots[i]) >= len(text) and body[-1] != END
        for mask in masks(truth, slots, rng.random(), rng, options):
            assert mask.any() and not mask[0]
    assert all(slot_size("status", 2, rng, options) == 8 for _ in range(20))


def test_visibility(rng) -> None:
    docs = [document(rng) for _ in range(3)]
    options, levels = WindowOptions(cap=300), Levels(rng)
    batch = mdlm_batch([Row(d, PUNCTUATION, rng, options, levels) for d in docs], options)
    clean, rest = (x.numpy() for x in batch.visible(torch, "cpu"))
    n = batch.split
    for b in range(3):
        for q in range(n):
            if batch.window[b, q] == 0:
                assert (clean[b, q] == ((batch.window[b, :n] == 0) & (batch.blocks[b, :n] <= batch.blocks[b, q]))).all()
        for q in range(n, batch.ids.shape[1]):
            w = batch.window[b, q]
            if w > 0:
                seen = batch.window[b, :n] == 0
                assert (rest[b, q - n, :n] == (seen & (batch.blocks[b, :n] < batch.blocks[b, q]))).all()
                assert (rest[b, q - n, n:] == (batch.window[b, n:] == w)).all()
    assert (batch.ids[batch.weight > 0] == MASK).all() and (batch.target[batch.weight > 0] != RESP).all()
    starts = np.flatnonzero(batch.ids[0] == RESP)
    assert all(batch.weight[0, s] == 0 for s in starts)


def test_attention() -> None:
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 3, n, 16, dtype=torch.bfloat16, requires_grad=True) for n in (5, 9, 9))
    mask = additive(torch.rand(2, 5, 9) < 0.7, torch.bfloat16)
    out = attend(q, k, v, mask)
    out.float().square().sum().backward()
    got = [out, *(x.grad.clone() for x in (q, k, v))]
    q2, k2, v2 = (x.detach().float().requires_grad_() for x in (q, k, v))
    want = torch.softmax(q2 @ k2.transpose(2, 3) / 4 + mask.float(), -1) @ v2
    want.square().sum().backward()
    for a, b in zip(got, (want, q2.grad, k2.grad, v2.grad)):
        assert (a.float() - b).abs().max() < 0.06, (a.float() - b).abs().max()


def test_training_equals_inference(rng) -> None:
    """A window's outputs in the packed batch, with the cache, and in one plain row are the same, whichever way the prefix is read."""
    for causal in (False, True):
        check_training_equals_inference(rng, causal)


def check_training_equals_inference(rng, causal: bool) -> None:
    torch.manual_seed(0)
    model = Decoder(SIZES["micro"])
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(2)
    docs = [document(rng) for _ in range(2)]
    options = WindowOptions(full=1.0, elastic=0, overflow=0, single=True, causal=causal)
    batch = mdlm_batch([Row(d, PUNCTUATION, rng, options, Levels(rng)) for d in docs], options)
    clean, rest = batch.visible(torch, "cpu")
    view = View(additive(clean, torch.float32), batch.split, additive(rest, torch.float32))
    with torch.no_grad():
        packed = model(torch.from_numpy(batch.ids), torch.from_numpy(batch.positions), view)[0]
        cache = clean_cache(model, docs, "cpu", causal)
        for row, doc in enumerate(docs):
            for w in range(1, batch.window[row].max() + 1):
                at = np.flatnonzero(batch.window[row] == w)
                start, block = int(batch.positions[row, at[0]]), batch.blocks[row, at[0]]
                ids = np.append(doc[:start], batch.ids[row, at])
                b = torch.from_numpy(np.append(clean_blocks(doc[:start], causal), [block] * len(at)))
                mask = additive((b[None, :] <= b[:, None])[None], torch.float32)
                plain = model(torch.from_numpy(ids)[None], torch.arange(len(ids))[None], View(mask))[0][0, start:]
                assert (plain - packed[row, at]).abs().max() < 1e-4
                past = [(k[row : row + 1, :, :start], v[row : row + 1, :, :start]) for k, v in cache]
                seen = additive(torch.ones(1, len(at), start + len(at), dtype=torch.bool), torch.float32)
                place = torch.arange(start, start + len(at))[None]
                cached = model(torch.from_numpy(batch.ids[row, at])[None], place, View(seen), past)[0][0]
                assert (plain - cached).abs().max() < 1e-4
        windows = [Window(row, a.start) for row, doc in enumerate(docs) for a in responses(doc)]
        alone = one_pass(model, cache, windows[:1], True)[1][0]
        together = one_pass(model, cache, windows, True)[1][0]
        assert np.abs(alone - together[: len(alone)]).max() < 1e-5
        sample(model, cache, windows, True, limit=20)


def test_drafts(rng) -> None:
    """A draft is masks behind clean tokens of an answer, asks for what follows its first place, and for nothing behind the end."""
    options = WindowOptions(cap=600, causal=True, drafts=0.5)
    docs = [document(rng) for _ in range(3)]
    rows = [Row(d, PUNCTUATION, rng, options, Levels(rng)) for d in docs]
    found = 0
    for doc, row in zip(docs, rows):
        ends = {a.start: a.start + 1 + sum(len(s) + 1 for s in a.slots) for a in responses(doc)}
        drafts = [n for n in row.noisy if n.mask.all() and len(n.mask) in DRAFT_SIZES and n.start not in ends]
        for copy in drafts:
            start, end = max((a, e) for a, e in ends.items() if a < copy.start)
            asked = np.flatnonzero(copy.weight)
            assert start < copy.start < end - 1 and asked[0] == 1 and copy.start + asked[-1] == min(end, copy.start + len(copy.mask)) - 1
            assert (copy.truth[asked] == doc[copy.start + asked]).all() and len(row.clean) >= copy.start
        found += len(drafts)
    assert found > 10
    check_packed(mdlm_batch(rows, options))


def check_packed(batch) -> None:
    """Every draft of a batch sees the clean tokens before it and itself, and nobody else sees it."""
    clean, rest = batch.visible(torch, "cpu")
    n = batch.split
    for row, w in np.argwhere(batch.window > 0):
        seen = rest[row, w - n]
        own = batch.window[row] == batch.window[row, w]
        first = batch.positions[row][own].min()
        assert (np.flatnonzero(seen[:n]) == np.arange(first)).all() and (seen[n:].numpy() == own[n:]).all()


def test_clean_loss(rng) -> None:
    """With a causal prefix the clean answers are learnt as the AR model learns them: the same loss at the same places."""
    torch.manual_seed(0)
    model, doc = Decoder(SIZES["micro"]), document(rng)
    batch = mdlm_batch([Row(doc, PUNCTUATION, rng, WindowOptions(cap=4000), Levels(rng))], WindowOptions(causal=True, clean=1.0))
    batch.weight[:, batch.split :] = 0
    n = responses(doc)[-1].start
    ar = ar_batch([doc[:n]], None)
    with torch.no_grad():
        losses = [float(Task(stage, True, "cpu").loss(model, b)) for stage, b in (("mdlm", batch), ("ar", ar))]
    assert batch.weight.sum() == ar.weight.sum() > 0 and abs(losses[0] - losses[1]) < 1e-3 * losses[1], losses


def test_sampler() -> None:
    w = Window(0, 10)
    places = 1 + sum(START_SIZES[name] for name in SLOTS)
    best, sure = np.full(places, 40), np.zeros(places)
    sure[[3, 5]] = 0.95
    commit(w, best, sure, 0.9)
    assert [i for i, t in enumerate(w.tokens()) if t == 40] == [3, 5]
    larger = next(size for size in SLOT_SIZES["observation"] if size > START_SIZES["observation"])
    assert w.grow(0) and w.sizes[0] == larger == len(w.ids[0]) and w.sizes[1] == START_SIZES["delta"] and not w.grow(2)
    w.ids[0][:4] = [50, PAD_0, 51, END]
    assert w.content(0) == [50, 51]


def test_adopt_vocabulary() -> None:
    """Known texts keep their rows, new ones start from the pieces they are made of, specials stay."""
    special = {i: f"<{i}>" for i in range(FIRST_TEXT)}
    names = lambda *texts: SimpleNamespace(tokens=special | {FIRST_TEXT + i: text for i, text in enumerate(texts)})
    model = Decoder(ModelConfig(hidden=8, layers=1, heads=1, head_dim=8, ffn=8, vocab=FIRST_TEXT + 3))
    out = adopt_vocabulary(model, names("a", "b", "ab"), names("b", "abb", "a", "ab"))
    old, new = model.embed[FIRST_TEXT:], out.embed[FIRST_TEXT:]
    assert (out.embed[:FIRST_TEXT] == model.embed[:FIRST_TEXT]).all() and out.c.vocab == FIRST_TEXT + 4
    assert (new[[0, 2, 3]] == old[[1, 0, 2]]).all() and (new[1] - (old[2] + old[1]) / 2).abs().max() < 1e-6
    assert (out.layers[0].qkv == model.layers[0].qkv).all()


def test_muon() -> None:
    torch.manual_seed(0)
    o = orthogonalise(torch.randn(2, 16, 40)).float()
    values = torch.linalg.svdvals(o)
    assert values.min() > 0.5 and values.max() < 1.4, values


def test_add_difference() -> None:
    """An AR model plus what an MDLM has over the AR model it came from: weights, how it is read, and the tokens of all three."""
    start, plus, minus = (Decoder(SIZES["micro"]) for _ in range(3))
    say = lambda kind, ar, mdlm=0: {"kind": kind, "shift": True, "causal": kind == "mdlm", "tokens": {"ar": ar, "mdlm": mdlm}}
    was = [p.clone() for p in start.parameters()]
    info = add_difference(start, say("ar", 500), (plus, say("mdlm", 300, 70)), (minus, say("ar", 200)))
    assert info == say("mdlm", 600, 70)
    for own, before, more, less in zip(start.parameters(), was, plus.parameters(), minus.parameters()):
        assert torch.equal(own, before + (more - less))
    for kinds in (("mdlm", "mdlm", "ar"), ("ar", "ar", "mdlm"), ("ar", "mdlm", "mdlm")):
        fails(ValueError, "these are " + ", ".join(kinds), lambda: add_difference(start, say(kinds[0], 1), (plus, say(kinds[1], 1)), (minus, say(kinds[2], 1))))
    fails(ValueError, "one shape", lambda: add_difference(start, say("ar", 1), (grow(plus, 3), say("mdlm", 1)), (minus, say("ar", 1))))


def fails(kind: type[BaseException], text: str, act) -> None:
    """`act` raises `kind` and says `text`, in the error or on stderr."""
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            act()
    except kind as error:
        assert text in str(error) + said.getvalue(), (text, error, said.getvalue())
    else:
        raise AssertionError(f"nothing was refused: {text}")


def write_corpus(folder: Path, docs: list[np.ndarray]) -> None:
    """A packed corpus, `valid` the same as `train`, with a vocabulary for `document`."""
    texts = [*(f"<{i}>" for i in range(FIRST_TEXT)), *(chr(33 + i % 90) * (1 + i // 90) for i in range(300 - FIRST_TEXT))]
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {text: i for i, text in enumerate(texts)}}}))
    for split in ("train", "valid"):
        np.concatenate(docs).astype("<u2").tofile(folder / f"{split}.bin")


def train_micro(folder: Path, out: str, *flags: str, stop: int = 0) -> dict:
    """A run of train.py on the corpus in `folder`, told to end after `stop` steps of its own; -> its last.pt."""
    tick, ticks = train.Clock.tick, []

    def stopping(clock) -> None:
        tick(clock)
        ticks.append(clock)
        if len(ticks) == stop:
            signal.raise_signal(signal.SIGTERM)

    handlers = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGINT)}
    with patch.object(train.Clock, "tick", stopping), redirect_stdout(io.StringIO()):
        train.main(["--stage", "ar", "--size", "micro", "--corpus", str(folder), "--out", str(folder / out), "--threads", "1", *flags])
    for sign, handler in handlers.items():
        signal.signal(sign, handler)
    assert (folder / out / "final.pt").exists() == (stop == 0)
    return checkpoint.load(folder / out / "last.pt")


def same_weights(a: dict, b: dict) -> bool:
    return all(torch.equal(value, b["model"][name]) for name, value in a["model"].items())


def test_resume(rng) -> None:
    """
    A run with a budget of tokens that is stopped and resumed against one that is not. Documents come in another order after the
    stop, and that is all: where every document is the same one, steps, tokens and weights are equal, bit by bit. Where they differ,
    the weights up to the stop are equal, and the tokens at the end up to the size of the last step; the weights at the end are not.
    """
    one = document(rng)
    for docs in ([one] * 8, [document(rng) for _ in range(40)]):
        with tempfile.TemporaryDirectory() as name:
            folder, size = Path(name), 2 * padded_length(max(map(len, docs)))
            write_corpus(folder, docs)
            budget = 9.5 * 2 * len(docs[0])
            flags = ("--tokens", str(budget / 1e6), "--step-tokens", str(size), "--micro-tokens", str(size), "--other", "0", "--warmup", "3")
            whole, part = train_micro(folder, "whole", *flags), train_micro(folder, "part", *flags, stop=4)
            assert part["step"] == 4 and same_weights(part, train_micro(folder, "again", *flags, stop=4))
            resumed = train_micro(folder, "part", *flags, "--resume")
            assert all(budget <= run["tokens"]["ar"] < budget + size for run in (whole, resumed))
            log = [json.loads(line) for line in (folder / "part" / "log.jsonl").read_text().splitlines()]
            assert [row["settings"]["resumed"] for row in log if "settings" in row] == [False, True] and "settings" in log[0]
            assert log[-1]["final"] and log[-1]["tokens"] == resumed["tokens"]["ar"]
            if docs[0] is docs[1]:
                assert resumed["step"] == whole["step"] == 10 and resumed["tokens"] == whole["tokens"] and same_weights(resumed, whole)
            # A run that goes on from another counts its own tokens only, before and after a stop.
            more = ("--init", str(folder / "whole" / "final.pt"), *flags)
            train_micro(folder, "more", *more, stop=4)
            own = train_micro(folder, "more", *more, "--resume")["tokens"]["ar"] - whole["tokens"]["ar"]
            assert budget <= own < budget + size


def test_resume_in_decay(rng) -> None:
    """stable.pt holds the weights before the decay, also of a run that is resumed inside it."""
    doc = document(rng)
    with tempfile.TemporaryDirectory() as name:
        folder, size = Path(name), 2 * padded_length(len(doc))
        write_corpus(folder, [doc] * 8)
        flags = ("--tokens", str(9.5 * 2 * len(doc) / 1e6), "--step-tokens", str(size), "--micro-tokens", str(size), "--decay", "0.5")
        part = train_micro(folder, "run", *flags, stop=7)
        stable = (folder / "run" / "stable.pt").read_bytes()
        assert checkpoint.load(folder / "run" / "stable.pt")["step"] == 5 < part["step"]
        train_micro(folder, "run", *flags, "--resume")
        assert (folder / "run" / "stable.pt").read_bytes() == stable
        assert train_micro(folder, "none", *flags, "--decay", "0", "--warmup", "0")["step"] == 10 and not (folder / "none" / "stable.pt").exists()


def test_schedule() -> None:
    assert [train.scale_at(0.5, step, 4, 0.2) for step in (0, 1, 3, 9)] == [0.25, 0.5, 1, 1]
    assert abs(train.scale_at(0.9, 9, 4, 0.2) - 0.5) < 1e-9 and train.scale_at(1.0, 9, 4, 0.2) == 0
    assert train.scale_at(0, 0, 0, 0.2) == train.scale_at(1.0, 0, 0, 0) == 1
    evening = datetime(2026, 12, 31, 23, 50)
    assert train.next_time("23:59", evening) == datetime(2026, 12, 31, 23, 59)
    assert train.next_time("00:10", evening) == datetime(2027, 1, 1, 0, 10)


def test_flags() -> None:
    """An MDLM goes on as it was trained, and flags that would do nothing are refused."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ask = lambda stage, *flags: train.parse(["--stage", stage, "--corpus", name, "--out", name, *flags])
        for kind, shift, causal in (("ar", True, False), ("mdlm", True, True), ("old", False, False)):
            checkpoint.save(folder / f"{kind}.pt", kind="ar" if kind == "ar" else "mdlm", shift=shift, causal=causal, tokens={"ar": 1, "mdlm": 1})
        ar, mdlm, old = (str(folder / f"{kind}.pt") for kind in ("ar", "mdlm", "old"))
        how = lambda args: (args.shift, args.causal)
        assert how(ask("ar")) == how(ask("ar", "--init", mdlm)) == (True, False)
        assert how(ask("mdlm")) == how(ask("mdlm", "--init", ar)) == how(ask("mdlm", "--init", old)) == (False, False)
        assert how(ask("mdlm", "--init", ar, "--shift", "--causal", "--drafts", "0.5")) == (True, True)
        assert how(ask("mdlm", "--init", mdlm, "--drafts", "0.5")) == how(ask("mdlm", "--init", ar, "--add-difference", mdlm, ar)) == (True, True)
        refused = lambda text, *flags: fails(SystemExit, text, lambda: ask(*flags))
        refused("without --shift", "mdlm", "--init", old, "--shift")
        refused("with --causal", "mdlm", "--init", mdlm, "--no-causal")
        refused("needs an MDLM with --causal", "mdlm", "--init", old, "--clean", "1")
        refused("--layers", "ar", "--layers", "5")
        refused("--add-difference", "mdlm", "--add-difference", mdlm, ar)
        refused("--init-tokenizer", "ar", "--init-tokenizer", "tokenizer.json")
        refused("--stage mdlm", "ar", "--init", ar, "--add-difference", mdlm, ar)
        Path(mdlm).rename(folder / "last.pt")
        assert how(ask("mdlm", "--init", ar, "--resume")) == (True, True)
        refused("last.pt was trained with --shift", "mdlm", "--resume", "--no-shift")
        refused("is of --stage mdlm", "ar", "--resume")


def test_core_hours() -> None:
    """Runs one after another in one log, resumed ones, other numbers of threads, GPUs apart; logs without settings are of two threads."""
    row = lambda seconds, **more: {"stage": "ar", "step": 1, "seconds": seconds, **more}
    begins = lambda seconds, threads, device="cpu": row(seconds, settings={"threads": threads, "device": device})
    logs = (
        ([row(1800), row(3600)], 2, 0),
        ([row(3600), row(1800), row(3600)], 4, 0),
        ([begins(0, 1), row(1800), begins(0, 3), row(3600)], 3.5, 0),
        # Stopped at 3600 seconds, resumed from what was saved at 3000.
        ([begins(0, 2), row(3600), begins(3000, 4), row(4800)], 4, 0),
        ([begins(0, 8, "cuda"), row(1800), begins(0, 2), row(900)], 0.5, 0.5),
    )
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "log.jsonl"
        for content, cores, device in logs:
            path.write_text("".join(json.dumps(r) + "\n" for r in content))
            assert abs(core_hours([path]) - cores) < 1e-9 and abs(core_hours([path], "cuda") - device) < 1e-9, content
            assert len(curve([path])) == 2


if __name__ == "__main__":
    torch.set_num_threads(1)
    generator = np.random.default_rng(0)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(*([generator] if test.__code__.co_argcount else []))
            print("ok", name)
