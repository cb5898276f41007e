/** What the command lines read alike: options, numbers within bounds and lists of known names. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '../models/errors';

/** Makes the error for what is wrong, a sentence without its full stop, with the usage below. */
export const misuseOf = (usage: string) => (message: string) => new Error(`${message}.\n\n${usage}`);

/**
 * The values of the options, `-h` and `--help` as `help` among them.
 * @throws the error of `wrong` for an argument that is none of them or lacks its value
 */
export function readOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: T,
  wrong: (message: string) => Error,
) {
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h', default: false } } }).values;
  } catch (error) {
    throw wrong(messageOf(error));
  }
}

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
