import { fail } from '../../errors.ts';
import type { Operator } from '../scope.ts';
import { ACCUMULATED } from './accumulated.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAY } from './array.ts';
import { LOGIC } from './logic.ts';
import { MINGO } from './mingo.ts';
import { TEXT } from './text.ts';
import { TYPE } from './type.ts';

const unsupported =
  (name: string): Operator =>
  () =>
    fail('CommandNotSupported', `${name} is not supported by the embedded store`);

/** Every expression operator, one family per file; our own come before what is borrowed. */
export const OPERATORS: Record<string, Operator> = {
  ...MINGO,
  ...ARITHMETIC,
  ...ARRAY,
  ...LOGIC,
  ...TEXT,
  ...TYPE,
  ...ACCUMULATED,
  ...Object.fromEntries(['$function', '$accumulator', '$meta'].map((name) => [name, unsupported(name)])),
};
