import { createHmac, hkdfSync } from 'node:crypto';
import { makeSealer } from '../../models/store/encrypted.ts';

const RETIRED = 'ab'.repeat(32);

/** Seals with a retired key that every test process still accepts (`tests/setup.ts`). */
export const sealWithRetiredKey = makeSealer(RETIRED).seal;

/** Signs a part of an audit chain as a server whose key that was. */
export function signAuditWith(parts: readonly (string | number)[], key = RETIRED): string {
  const derived = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'arc audit chain', 32));
  return createHmac('sha256', derived).update(JSON.stringify(parts)).digest('hex');
}
