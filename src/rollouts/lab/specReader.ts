/** Reads JSON member by member and notes what is wrong with where it stands; reading goes on, so all is told at once. */
import { get, isObject, stringify, type Json } from '../../world/json';
import type { SamplerChoice } from '../../world/simulator';
import type { Action } from '../../world/types';

/** Names that stand in ids of jobs, in files and in tables. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}$/;

export class SpecReader {
  constructor(
    private readonly value: Json | undefined,
    private readonly path: string,
    readonly problems: string[],
  ) {}

  isObject(): boolean {
    return isObject(this.value);
  }

  isText(): boolean {
    return typeof this.value === 'string';
  }

  has(key: string): boolean {
    return isObject(this.value) && get(this.value, key) !== undefined;
  }

  /** The member, or the fallback where it is missing. */
  at(key: string, fallback?: Json): SpecReader {
    const found = isObject(this.value) ? get(this.value, key) : undefined;
    return new SpecReader(found ?? fallback, `${this.path}/${key}`, this.problems);
  }

  /** Notes what is wrong with a member. */
  complain(key: string, what: string): void {
    this.problems.push(`${this.path}/${key}: ${what}`);
  }

  /** Notes members that mean nothing here, since a misspelt one would go unnoticed. */
  members(...known: string[]): this {
    if (!isObject(this.value)) {
      this.wrong(`an object with ${known.join(', ')}`);
      return this;
    }
    for (const key of Object.keys(this.value)) {
      if (!known.includes(key)) this.complain(key, `there is no such member here; there are ${known.join(', ')}`);
    }
    return this;
  }

  list(key: string, fallback?: Json): SpecReader[] {
    const at = this.at(key, fallback);
    if (!Array.isArray(at.value) || at.value.length === 0) {
      at.wrong('a list with at least one item');
      return [];
    }
    return at.value.map((item, i) => new SpecReader(item, `${at.path}/${i}`, this.problems));
  }

  oneOf<T extends string>(names: readonly T[], said = names.join(', ')): T {
    const found = names.find((name) => name === this.value);
    if (found === undefined) this.wrong(`one of ${said}`);
    return found ?? (names[0] as T);
  }

  whole(low: number, high: number): number {
    return this.number((x) => Number.isInteger(x) && x >= low && x <= high, `a whole number from ${low} to ${high}`);
  }

  number(holds: (x: number) => boolean, what: string): number {
    if (typeof this.value === 'number' && holds(this.value)) return this.value;
    this.wrong(what);
    return 1;
  }

  flag(): boolean {
    if (typeof this.value !== 'boolean') this.wrong('true or false');
    return this.value === true;
  }

  text(key: string, fallback: string): string {
    const at = this.at(key, fallback);
    if (typeof at.value === 'string') return at.value;
    at.wrong('a text');
    return fallback;
  }

  orNull(key: string): string | null {
    return this.at(key, null).value === null ? null : this.text(key, '');
  }

  /** A name of the batch's own. */
  name(key: string, fallback: string): string {
    const name = this.text(key, fallback);
    if (NAME.test(name)) return name;
    this.complain(key, `"${name}" is not a name: use 1 to 40 letters, digits and _ . + -, a letter or digit first`);
    return fallback;
  }

  /** A sampler by name with its parameters. */
  sampler(): SamplerChoice {
    const scalars =
      isObject(this.value) && Object.values(this.value).every((x) => ['string', 'number'].includes(typeof x));
    if (isObject(this.value) && scalars && typeof get(this.value, 'name') === 'string') {
      return this.value as unknown as SamplerChoice;
    }
    this.wrong('a sampler such as {"name":"confidence","steps":8}');
    return { name: 'threshold' };
  }

  action(): Action {
    const { value } = this;
    if (isObject(value) && typeof get(value, 'raw') === 'string') return { raw: get(value, 'raw') as string };
    const [tool, args] = isObject(value) ? [get(value, 'tool'), get(value, 'args') ?? {}] : [];
    if (typeof tool === 'string' && isObject(args)) return { tool, args };
    this.wrong('a call {"tool":"...","args":{...}}, or {"raw":"..."} for text that is none');
    return { raw: '' };
  }

  /** Notes names or numbers that stand in a list twice: their jobs would have one id. */
  unique(key: string, items: readonly (string | number)[]): void {
    const twice = items.find((item, i) => items.indexOf(item) !== i);
    if (twice !== undefined)
      this.complain(key, `"${twice}" is there twice; give each an id of its own, or take one out`);
  }

  private wrong(what: string): void {
    const said = this.value === undefined ? 'is missing' : `is ${shorten(stringify(this.value))}`;
    this.problems.push(`${this.path || 'the spec'} ${said}: it has to be ${what}`);
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
