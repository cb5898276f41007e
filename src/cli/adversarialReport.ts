/** Results of the adversarial suite as people read them. */
import { wilson95 } from '../metrics';
import {
  FAILURE_NAMES,
  FAILURES,
  type AdversarialTables,
  type Cell,
  type JudgedStep,
  type ScenarioResult,
  type SimulatorSummary,
} from '../rollouts/adversarial';
import { callText, directivesText } from '../world/codec';
import { SLOTS } from '../world/types';

export interface AdversarialReport extends AdversarialTables {
  seeds: number;
  first: number;
  kinds: string[];
  families: string[];
  seed: number;
  temperature: number;
  threshold: number;
}

/** Tables of kind x simulator and failure x simulator, then the worst scenarios. */
export function formatAdversarial(report: AdversarialReport): string {
  const all = Object.entries(report.simulators);
  const ran = all.filter((entry): entry is [string, SimulatorSummary] => !('error' in entry[1]));
  const parts: string[] = [];
  if (ran.length > 0) {
    const rows = report.kinds.map((kind) => [kind, ...ran.map(([, summary]) => cellText(summary.kinds[kind]))]);
    parts.push(
      'Scenarios in which no invariant broke, of all; in brackets those with every answer exact.',
      grid([
        ['', ...ran.map(([name]) => name)],
        ...rows,
        ['all', ...ran.map(([, summary]) => cellText(summary))],
        ['95% (Wilson)', ...ran.map(([, { stood, n }]) => intervalText(stood, n))],
        ['single answers exact', ...ran.map(([, summary]) => `${summary.stepsExact}/${summary.steps}`)],
      ]),
    );
    const seen = FAILURE_NAMES.filter((name) => ran.some(([, { failures }]) => failures[name] !== undefined));
    if (seen.length > 0) {
      parts.push(
        'Failures: scenarios in which each occurs (one may show several; `other` alone breaks no invariant).',
        grid([
          ['', ...ran.map(([name]) => name), ''],
          ...seen.map((name) => [
            name,
            ...ran.map(([, cell]) => `${cell.failures[name] ?? 0}/${cell.n}`),
            FAILURES[name],
          ]),
        ]),
      );
    }
  }
  for (const [name, results] of Object.entries(report.worst)) {
    if (results.length > 0) parts.push(`The worst of ${name}`, ...results.map(formatScenario));
  }
  for (const [name, one] of all) {
    if ('error' in one) parts.push(`${name} did not run: ${one.error.message} ${one.error.advice}`);
  }
  return `${parts.join('\n\n')}\n`;
}

function cellText(cell: Cell | undefined): string {
  return cell ? `${cell.stood}/${cell.n} (${cell.exact})` : '-';
}

function intervalText(k: number, n: number): string {
  if (n === 0) return '-';
  const [low, high] = wilson95(k, n);
  return `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

/** A scenario with each call, the true answer, and beneath it what differs. */
function formatScenario({ kind, seed, family, failures, steps }: ScenarioResult): string {
  return [`${kind} ${seed} · ${family} · ${failures.join(', ')}`, ...steps.flatMap(formatStep)].join('\n');
}

function formatStep({ action, directives, edited, truth, answer, failures, breakdown }: JudgedStep): string[] {
  const steered = directives.length > 0 ? `   under ${directivesText(directives)}` : '';
  const lines = [`  ${edited ? '(edited) ' : ''}${callText(action)}${steered}`];
  if (breakdown) return [...lines, `    no answer: ${breakdown.message} ${breakdown.advice}`];
  for (const slot of SLOTS) {
    lines.push(`    ${slot.padEnd(11)} ${JSON.stringify(truth[slot])}`);
    if (answer && answer[slot] !== truth[slot])
      lines.push(`    ${'answered'.padStart(11)} ${JSON.stringify(answer[slot])}`);
  }
  if (failures.length > 0) lines.push(`    -> ${failures.join(', ')}`);
  return lines;
}

/** Rows in columns of equal width; those without a heading hold words and stand to the left, numbers to the right. */
export function grid(rows: readonly (readonly string[])[]): string {
  const head = rows[0] ?? [];
  const widths = head.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows
    .map((row) => row.map((cell, i) => (head[i] === '' ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))))
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
}
