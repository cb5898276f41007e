/** Shapes of JSON that files are held against: each says the first place that is wrong and what has to be there. */

/** A shape: null where a value has it, otherwise what is wrong, with its place. */
export type Shape = (value: unknown, place: string) => string | null;

/** A value for which a condition holds. @param what what it has to be, behind "has to be" */
export function is(holds: (value: unknown) => boolean, what: string): Shape {
  return (value, place) => (holds(value) ? null : `${place} is ${short(value)}, and has to be ${what}`);
}

export const text = is((x) => typeof x === 'string', 'a text');
export const flag = is((x) => typeof x === 'boolean', 'true or false');
export const amount = is((x) => typeof x === 'number' && Number.isFinite(x) && x >= 0, 'a number from 0');
export const anything: Shape = () => null;

/** A whole number within bounds, both included. */
export function whole(low: number, high: number): Shape {
  return is(
    (x) => Number.isInteger(x) && (x as number) >= low && (x as number) <= high,
    `a whole number from ${low} to ${high}`,
  );
}

/** One of some values. */
export function oneOf(values: readonly unknown[]): Shape {
  return is((x) => values.includes(x), `one of ${values.join(', ')}`);
}

/** A value, or null. */
export function orNull(shape: Shape): Shape {
  return (value, place) => (value === null ? null : shape(value, place));
}

/** A list whose items have a shape. */
export function list(shape: Shape): Shape {
  return (value, place) => {
    if (!Array.isArray(value)) return `${place} is ${short(value)}, and has to be a list`;
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, `${place}/${i}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

/** A list with items of one shape, none of which is there twice. */
export function listOnce(shape: Shape): Shape {
  const items = list(shape);
  return (value, place) => {
    const wrong = items(value, place);
    if (wrong !== null) return wrong;
    const twice = (value as unknown[]).find((item, i, all) => all.indexOf(item) !== i);
    return twice === undefined ? null : `${place} has ${short(twice)} twice`;
  };
}

/** An object with these members, each of its shape; others may stand beside them. */
export function members(shapes: { readonly [key: string]: Shape }): Shape {
  return (value, place) => {
    if (!isPlain(value)) return `${place || 'the file'} is ${short(value)}, and has to be an object`;
    for (const [key, shape] of Object.entries(shapes)) {
      const wrong = shape(Object.hasOwn(value, key) ? value[key] : undefined, `${place}/${key}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

/** An object all of whose members have one shape. */
export function mapOf(shape: Shape): Shape {
  return (value, place) => {
    if (!isPlain(value)) return `${place} is ${short(value)}, and has to be an object`;
    for (const [key, member] of Object.entries(value)) {
      const wrong = shape(member, `${place}/${key}`);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}

function isPlain(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function short(value: unknown): string {
  if (value === undefined) return 'missing';
  const written = JSON.stringify(value);
  return written.length > 60 ? `${written.slice(0, 57)}...` : written;
}
