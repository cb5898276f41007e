#!/bin/sh
# Trains both stages on from the committed AR model on a lent GPU and exports them, sized for one call of at most ten minutes.
# The corpus must travel with the tree (an ignored folder named to the lender's `carry`):
#   CORPUS=<folder> OUT=<folder for results> [MINUTES=<per stage>] [TOKENS=<a step>] [VERSION=<name>] sh gpu_run.sh
set -e
cd "$(dirname "$0")"
: "${CORPUS:?folder of the packed corpus}" "${OUT:?folder for checkpoints}"
MINUTES="${MINUTES:-3.5}"
RUN="${RUN:-/tmp/terrarium-run}"
export PYTHONUNBUFFERED=1
PYTHON="${PYTHON:-python3}"
"$PYTHON" -c 'import torch; print(torch.__version__, torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU")'
# Larger batches than on CPUs: a GPU is busy only with some 60,000 tokens at a time.
TOKENS="${TOKENS:-60000}"
SHARED="--corpus $CORPUS --step-tokens $TOKENS --micro-tokens $TOKENS --threads ${THREADS:-8} --eval-minutes 1"
DRAFTS="--shift --causal --clean 1.0 --drafts 0.5 --cap 480 --overflow 0.2"
"$PYTHON" train.py --stage ar --out "$RUN/ar" --minutes "$MINUTES" --init ../ar $SHARED
"$PYTHON" train.py --stage mdlm --out "$RUN/mdlm" --minutes "$MINUTES" --init "$RUN/ar/final.pt" $DRAFTS $SHARED
for kind in ar mdlm; do
  mkdir -p "$OUT/$kind"
  "$PYTHON" evaluate.py --corpus "$CORPUS" --model "$RUN/$kind/final.pt" | tee "$OUT/$kind/eval.json"
  # Weights alone: the optimizer's state is twice as large, and files that come back are limited.
  "$PYTHON" - "$RUN/$kind/final.pt" "$OUT/$kind/final.pt" <<'PY'
import sys, torch
saved = torch.load(sys.argv[1], map_location="cpu", weights_only=False)
saved.pop("optimizers")
torch.save(saved, sys.argv[2])
PY
  cp "$RUN/$kind/log.jsonl" "$OUT/$kind/"
  # Machines without the package `onnx` give the checkpoint; export.py then runs where it comes back.
  if "$PYTHON" -c 'import onnx' 2>/dev/null; then
    "$PYTHON" export.py --model "$OUT/$kind/final.pt" --corpus "$CORPUS" --to "$OUT/$kind/model" --version "${VERSION:-gpu}" --log "$OUT/$kind/log.jsonl"
  fi
done
