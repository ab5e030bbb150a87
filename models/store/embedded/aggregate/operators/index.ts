import type { Operator } from '../scope.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { LOGIC } from './logic.ts';

/** Every expression operator, one family per file. */
export const OPERATORS: Record<string, Operator> = { ...ARITHMETIC, ...LOGIC };
