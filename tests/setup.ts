import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs in every test file before it is read: the environment of tests. Nothing here may start anything.
process.env.NODE_ENV ??= 'test';
process.env.RATE_LIMIT_FACTOR ??= '1000';
process.env.PASSWORD_MEMORY_KIB ??= '8';
// As after a change of keys: see `tests/factories/retiredKey.ts`.
process.env.ENCRYPTION_KEYS_RETIRED ??= 'ab'.repeat(32);
// What tests write goes to memory, where there is room; what concerns a real disk asks for `tests/factories/disk.ts`.
process.env.TEST_DISK ??= tmpdir();
process.env.TMPDIR = process.env.TEST_DIRECTORY ?? tmpdir();
process.env.DATA_DIR ??= join(tmpdir(), `arc-tests-data-${process.pid}`);
