import { test } from '@jest/globals';

test('ends its process', () => process.exit(0));
