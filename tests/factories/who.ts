import { randomInt } from 'node:crypto';
import type { ErrorCode } from '../../models/contracts/errors.ts';
import type { Who } from '../../models/policies/who.ts';

let last = randomInt(1_000_000, 1_000_000_000);
/** A number that nothing else has as its id. */
export function nextNumber(): number {
  last += 1;
  return last;
}

/** The owner of a new account, with changes. */
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

/** The code of a refusal, or that the work succeeded; any other error is returned unchanged. */
export const codeOf = (work: Promise<unknown>): Promise<ErrorCode | 'done'> =>
  work.then(
    () => 'done',
    (error) => error.code ?? error,
  );
