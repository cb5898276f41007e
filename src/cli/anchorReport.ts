/** What `npm run anchors` prints. */
import { anchorInterval, type AnchorShare } from '../metrics';
import type { ModelInfo } from '../models';
import type { Failure } from '../models/errors';
import type { KindReport, OutcomeKind } from '../rollouts/steering';
import type { AnchorOptions } from './anchorOptions';

export type ModelAnchors =
  | ({ run: Pick<ModelInfo, 'version' | 'runtime' | 'provider' | 'parameters'> & { wallMs: number } } & {
      outcomes: { [kind in OutcomeKind]?: KindReport };
    })
  | { error: Failure };

export interface AnchorReport {
  split: string;
  n: number;
  seed: number;
  settings: Pick<AnchorOptions, 'kinds' | 'attempts' | 'threshold' | 'temperature'> & { constraint: null };
  models: { [name: string]: ModelAnchors };
}

/** The report as a table for people. */
export function formatAnchors({ split, n, seed, models }: AnchorReport): string {
  const lines = [
    `${n} transitions of ${split}, seed ${seed}; shares with 95% intervals: bootstrap over trajectories, Wilson (w) where all agree`,
  ];
  for (const [name, model] of Object.entries(models)) {
    if ('error' in model) {
      lines.push('', `${name} did not run: ${model.error.message} ${model.error.advice}`);
      continue;
    }
    lines.push('', `${name} ${model.run.version}`);
    for (const [kind, { pinned, free, refused }] of Object.entries(model.outcomes)) {
      lines.push(
        `  ${kind}: pinned and the rest exact ${shown(pinned.consistent)}; without the pin ${shown(free.consistent)}`,
        `    pins hold ${shown(pinned.satisfied)}, placed ${shown(pinned.placed)}, refused ${refused}`,
        `    leaves of the rest ${shown(pinned.rest)}; answers accepted ${shown(pinned.accepted)}`,
        `    means: ${[
          `${fixed(pinned.attempts, 2)} attempts`,
          `${fixed(pinned.nfe, 1)} passes`,
          `${fixed(pinned.forwardTokens, 0)} forward tokens`,
          `${fixed(pinned.ms, 0)} ms`,
        ].join(', ')}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function shown(part: AnchorShare): string {
  const { sum, n, share, bootstrap } = part;
  if (share === null) return 'none counted';
  const interval = anchorInterval(part);
  const range = interval ? ` [${interval.map((x) => x.toFixed(3)).join(', ')}]${bootstrap ? '' : 'w'}` : '';
  return `${share.toFixed(3)}${range} (${sum} of ${n})`;
}

function fixed(value: number | null, digits: number): string {
  return value === null ? '-' : value.toFixed(digits);
}
