/** What the command lines read alike: numbers within bounds and lists of known names. */

/** Whether a number is whole and within bounds, both included. */
export const whole = (low: number, high: number) => (x: number) => Number.isInteger(x) && x >= low && x <= high;

/**
 * Readers of argument values.
 * @param wrong makes the error of a value that is none, from a sentence without its full stop
 */
export function readersOf(wrong: (message: string) => Error) {
  return {
    /** A number. @throws the error of `wrong` where it does not hold, which says what it should be */
    number(flag: string, text: string, holds: (x: number) => boolean, what: string): number {
      const value = text.trim() === '' ? NaN : Number(text);
      if (!holds(value)) throw wrong(`--${flag} ${text} is not ${what}`);
      return value;
    },
    /** Names with commas between, in the order of those that are known. @throws the error of `wrong` for any other */
    list<T extends string>(flag: string, text: string, known: readonly T[]): T[] {
      const names = text.split(',').map((name) => name.trim());
      const strange = names.find((name) => !known.some((one) => one === name));
      if (strange !== undefined) throw wrong(`--${flag} "${strange}" is none of ${known.join(', ')}`);
      return known.filter((name) => names.includes(name));
    },
    /** The same, where `all` stands for all that are known. @throws the error of `wrong` for any other name */
    names<T extends string>(flag: string, text: string, known: readonly T[]): T[] {
      const names = text.split(',').map((name) => name.trim());
      const strange = names.find((name) => name !== 'all' && !known.some((one) => one === name));
      if (strange !== undefined) throw wrong(`--${flag} "${strange}" is none of ${[...known, 'all'].join(', ')}`);
      return known.filter((name) => names.includes('all') || names.includes(name));
    },
  };
}
