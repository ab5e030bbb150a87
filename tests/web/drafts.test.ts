import { expect, test } from '@jest/globals';
import { isTextTable } from '../../web/data/drafts.ts';

test.each([[{}], [{ reason: 'Late' }], [{ a: '', b: 'c' }]])('%j is a table of texts', (kept) =>
  expect(isTextTable(kept)).toBe(true),
);

test.each([[null], ['text'], [['a']], [{ a: 1 }], [{ a: 'b', c: null }]])('%j is none, and is not read back', (kept) =>
  expect(isTextTable(kept)).toBe(false),
);
