import { makeSealer } from '../../models/store/encrypted.ts';

/** Seals with a retired key that every test process still accepts (`tests/setup.ts`). */
export const sealWithRetiredKey = makeSealer('ab'.repeat(32)).seal;
