import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs before every test file and sets the environment of tests. Nothing here may start a process or a server.
process.env.NODE_ENV ??= 'test';
process.env.RATE_LIMIT_FACTOR ??= '1000';
process.env.PASSWORD_MEMORY_KIB ??= '8';
// A retired key, as after a key rotation: see `tests/factories/retiredKey.ts`.
process.env.ENCRYPTION_KEYS_RETIRED ??= 'ab'.repeat(32);
// Tests write to memory if there is room; tests that need a real disk use `tests/factories/disk.ts`.
process.env.TEST_DISK ??= tmpdir();
process.env.TMPDIR = process.env.TEST_DIRECTORY ?? tmpdir();
process.env.DATA_DIR ??= join(tmpdir(), `arc-tests-data-${process.pid}`);
