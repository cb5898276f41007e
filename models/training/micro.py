"""
Makes the micro pair for tests (test/fixtures/micro/{ar,mdlm}): two layers, hidden 32, really trained, for a minute each.

    python micro.py --corpus DIR --to ../../test/fixtures/micro --shift --causal [--minutes 1]
"""
from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from card import Evidence
from export import export

HERE = Path(__file__).parent


def train(stage: str, corpus: Path, out: Path, minutes: float, *more: str) -> Path:
    command = [sys.executable, str(HERE / "train.py"), "--stage", stage, "--size", "micro", "--corpus", str(corpus)]
    command += ["--out", str(out), "--minutes", str(minutes), "--eval-minutes", "99", "--eval-n", "50", "--lr-adam", "0.01"]
    subprocess.run([*command, *more], check=True)
    return out / "final.pt"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--corpus", type=Path, required=True)
    ask.add_argument("--to", type=Path, required=True)
    ask.add_argument("--minutes", type=float, default=1)
    ask.add_argument("--shift", action="store_true", help="as the full MDLM")
    ask.add_argument("--causal", action="store_true", help="as the full MDLM; the sampler speculative needs both")
    args = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ar = train("ar", args.corpus, Path(folder) / "ar", args.minutes)
        how = [f"--{name}" for name in ("shift", "causal") if getattr(args, name)]
        mdlm = train("mdlm", args.corpus, Path(folder) / "mdlm", args.minutes, "--init", str(ar), *how)
        for kind, model in (("ar", ar), ("mdlm", mdlm)):
            export(model, args.corpus, args.to / kind, "micro", Evidence())


if __name__ == "__main__":
    main()
