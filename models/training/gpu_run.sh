#!/bin/sh
# Trains the pair on from the committed AR model on a lent GPU, evaluates and exports it, sized for one call of at most ten minutes:
# the AR model at a constant rate; from that the MDLM; and from the same the AR model for as many tokens as the MDLM had.
# The corpus must travel with the tree (an ignored folder named to the lender's `carry`):
#   CORPUS=<folder> OUT=<folder for results> [MINUTES=<a run> | TOKENS=<millions a run>] [STEP_TOKENS=<a step>] [VERSION=<name>] \
#     [RUN=<folder for checkpoints>] [MORE=<more flags of train.py>] [N=<answers evaluated>] [THREADS=<n>] [PYTHON=<python>] sh gpu_run.sh
# Folders may be relative to where it is called. It writes to OUT and RUN only.
set -e
: "${CORPUS:?folder of the packed corpus}" "${OUT:?folder for results}"
RUN="${RUN:-$(mktemp -d "${TMPDIR:-/tmp}/terrarium-run.XXXXXX")}"
mkdir -p "$OUT" "$RUN"
CORPUS="$(cd "$CORPUS" && pwd)" OUT="$(cd "$OUT" && pwd)" RUN="$(cd "$RUN" && pwd)"
cd "$(dirname "$0")"
# Logs are added to, so another run's would end up in the cards.
[ -z "$(ls -A "$RUN")" ] || { echo "RUN=$RUN is not empty: give another folder" >&2; exit 1; }
export PYTHONUNBUFFERED=1
PYTHON="${PYTHON:-python3}"
"$PYTHON" -c 'import torch; print(torch.__version__, torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU")'

BUDGET="--minutes ${MINUTES:-2.3}"
[ -z "$TOKENS" ] || BUDGET="--tokens $TOKENS"
# Larger batches than on CPUs: a GPU is busy only with some 60,000 tokens at a time.
STEP_TOKENS="${STEP_TOKENS:-60000}"
RATES="--lr 0.01 --lr-adam 2.5e-3"
DRAFTS="--shift --causal --clean 1.0 --drafts 0.5 --cap 480 --overflow 0.2"
# What is not in quotes is a list of flags.
train() {
  "$PYTHON" train.py --corpus "$CORPUS" --step-tokens "$STEP_TOKENS" --micro-tokens "$STEP_TOKENS" --threads "${THREADS:-8}" \
    --eval-minutes 1 $RATES "$@" $MORE
}
train --stage ar --out "$RUN/start" --init ../ar --decay 0 --warmup 100 $BUDGET
train --stage mdlm --out "$RUN/mdlm" --init "$RUN/start/final.pt" --decay 0.7 $DRAFTS $BUDGET
OWN="$("$PYTHON" -c 'import sys, checkpoint; x = checkpoint.load(sys.argv[1]); print((x["tokens"]["mdlm"] - x["first"]) / 1e6)' "$RUN/mdlm/final.pt")"
train --stage ar --out "$RUN/ar" --init "$RUN/start/final.pt" --decay 0.7 --tokens "$OWN"

for kind in ar mdlm; do
  mkdir -p "$OUT/$kind"
  "$PYTHON" evaluate.py --corpus "$CORPUS" --model "$RUN/$kind/final.pt" --n "${N:-300}" > "$OUT/$kind/eval.json"
  cat "$OUT/$kind/eval.json"
  # Weights alone: the optimizer's state is twice as large, and files that come back are limited.
  "$PYTHON" -c 'import sys, checkpoint, pathlib
saved = checkpoint.load(sys.argv[1])
saved.pop("optimizers")
checkpoint.save(pathlib.Path(sys.argv[2]), **saved)' "$RUN/$kind/final.pt" "$OUT/$kind/final.pt"
  cp "$RUN/start/log.jsonl" "$OUT/$kind/start.jsonl"
  cp "$RUN/$kind/log.jsonl" "$OUT/$kind/log.jsonl"
done

# Machines without these packages give the checkpoints; export.py then runs where they come back.
"$PYTHON" -c 'import onnx, onnxruntime' 2>/dev/null || exit 0
# The AR model once more at the end: a card tells the tokens of the other model, which lies beside it by then.
for kind in ar mdlm ar; do
  # The runs behind ../ar, then those behind this model.
  set --
  for log in $(ls runs/ar-*.jsonl | sort -V) "$RUN/start/log.jsonl" "$RUN/$kind/log.jsonl"; do
    set -- "$@" --log "$log"
  done
  "$PYTHON" export.py --model "$OUT/$kind/final.pt" --corpus "$CORPUS" --to "$OUT/models/$kind" --version "${VERSION:-gpu}" "$@"
done
for kind in ar mdlm; do
  "$PYTHON" parity.py "$OUT/models/$kind" > "$OUT/$kind/parity.txt" || { cat "$OUT/$kind/parity.txt"; exit 1; }
  grep -c '^ok' "$OUT/$kind/parity.txt" | sed "s/\$/ checks of $kind by parity.py/"
done
