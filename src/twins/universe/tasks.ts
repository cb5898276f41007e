/** Tasks of procedural worlds: one template for each tool that changes something, and two of them in a row. */
import type { Rng } from '../../world/rng';
import type { Action } from '../../world/types';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { readSpec, type OpSpec, type Spec } from './spec';

export function universeTasks(world: Seeded): { readonly [name: string]: TaskTemplate } {
  const spec = readSpec(world.spec);
  const single = spec.ops.map((op) => [op.op, singleTask(spec, op)] as const);
  const pairs: TaskTemplate = (rng, seeded) => {
    const [first, second] = rng.shuffle(single).flatMap(([, template]): TaskPlan[] => {
      const task = template(rng, seeded);
      return task ? [task] : [];
    });
    if (!first || !second) return null;
    return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
  };
  return { ...Object.fromEntries(single), pairs };
}

function singleTask(spec: Spec, op: OpSpec): TaskTemplate {
  return (rng, { state }) => {
    const items = records(state, spec.plural);
    const labels = Object.values(items).map((item) => String(item[spec.label]));
    const goal = goalOf(rng, spec, op, rng.pick(Object.keys(items)), rng.pick(labels));
    if (!goal) return null;
    const get = spec.ops.find((other) => other.op === 'get');
    const id = 'args' in goal.action ? goal.action.args.id : undefined;
    const looks: Action[] = get && id !== undefined && rng.chance(0.5) ? [{ tool: get.name, args: { id } }] : [];
    return { instruction: `${goal.instruction}.`, plan: [...looks, goal.action] };
  };
}

function goalOf(
  rng: Rng,
  spec: Spec,
  op: OpSpec,
  id: string,
  label: string,
): { instruction: string; action: Action } | null {
  switch (op.op) {
    case 'set':
      return {
        instruction: `Set ${spec.state} of ${id} to ${op.value ?? ''}`,
        action: { tool: op.name, args: { id } },
      };
    case 'change': {
      const value = rng.pick(spec.values);
      return {
        instruction: `Set ${spec.state} of ${id} to ${value}`,
        action: { tool: op.name, args: { id, [spec.state]: value } },
      };
    }
    case 'add':
    case 'take': {
      const amount = rng.int(1, 20);
      const words = op.op === 'add' ? `Add ${amount} to` : `Take ${amount} from`;
      return { instruction: `${words} ${spec.amount} of ${id}`, action: { tool: op.name, args: { id, amount } } };
    }
    case 'remove':
      return { instruction: `Remove ${id}`, action: { tool: op.name, args: { id } } };
    case 'create': {
      const args = { [spec.state]: rng.pick(spec.values), [spec.amount]: rng.int(1, 60), [spec.label]: label };
      return { instruction: `Add a ${spec.noun}: ${Object.values(args).join(', ')}`, action: { tool: op.name, args } };
    }
    default:
      return null;
  }
}
