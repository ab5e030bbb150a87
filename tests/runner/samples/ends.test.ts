import { test } from '@jest/globals';

test('takes the process along', () => process.exit(0));
