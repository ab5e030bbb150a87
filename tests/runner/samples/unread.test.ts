import { test } from '@jest/globals';

test('is not run', () => undefined);
throw new Error('not read');
