import { makeSealer } from '../../models/store/encrypted.ts';

/** Seals with the key that every process of the tests holds as one of before (`tests/setup.ts`). */
export const sealedBefore = makeSealer('ab'.repeat(32)).seal;
