#!/bin/sh
# Both stages on a lent GPU, sized for one call of at most ten minutes; run in models/training. The corpus must travel with
# the tree (an ignored folder named to the lender's `carry`): CORPUS=<folder> OUT=<folder for results> MINUTES=<per stage>.
set -e
cd "$(dirname "$0")"
: "${CORPUS:?folder of the packed corpus}" "${OUT:?folder for checkpoints}"
MINUTES="${MINUTES:-3.5}"
RUN="${RUN:-/tmp/terrarium-run}"
export PYTHONUNBUFFERED=1
python3 -c 'import torch; print(torch.__version__, torch.cuda.get_device_name())'
# Larger batches than on CPUs: a GPU is busy only with some 60,000 tokens at a time.
SHARED="--corpus $CORPUS --step-tokens 60000 --micro-tokens 60000 --threads 8 --eval-minutes 1"
python3 train.py --stage ar --out "$RUN/ar" --minutes "$MINUTES" $SHARED
python3 train.py --stage mdlm --out "$RUN/mdlm" --minutes "$MINUTES" --init "$RUN/ar/final.pt" --shift $SHARED
for kind in ar mdlm; do
  mkdir -p "$OUT/$kind"
  python3 evaluate.py --corpus "$CORPUS" --model "$RUN/$kind/final.pt" | tee "$OUT/$kind/eval.json"
  # Weights alone: the optimizer's state is twice as large, and files that come back are limited.
  python3 - "$RUN/$kind/final.pt" "$OUT/$kind/final.pt" <<'PY'
import sys, torch
saved = torch.load(sys.argv[1], map_location="cpu", weights_only=False)
saved.pop("optimizers")
torch.save(saved, sys.argv[2])
PY
  cp "$RUN/$kind/log.jsonl" "$OUT/$kind/"
done
