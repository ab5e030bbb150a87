import { test } from '@jest/globals';

test('never ends', () => new Promise(() => undefined), 50);
