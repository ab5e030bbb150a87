import { randomInt } from 'node:crypto';
import type { ErrorCode } from '../../models/contracts/errors.ts';
import type { Who } from '../../models/policies/who.ts';

let last = randomInt(1_000_000, 1_000_000_000);
/** A number that nothing else has as its id. */
export function nextNumber(): number {
  last += 1;
  return last;
}

/** The owner of a new account, or who else is described. */
export function makeWho(overrides: Partial<Who> = {}): Who {
  return {
    userId: nextNumber(),
    accountId: nextNumber(),
    name: 'Ada Okafor',
    email: 'ada@example.org',
    emailVerified: true,
    roles: ['owner'],
    isAdmin: false,
    hasOfficer: false,
    ...overrides,
  };
}

/** The code that work is refused with, or that it is done; any other fault is given back as it is. */
export const codeOf = (work: Promise<unknown>): Promise<ErrorCode | 'done'> =>
  work.then(
    () => 'done',
    (error) => error.code ?? error,
  );
