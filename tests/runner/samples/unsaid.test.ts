import { expect, test } from '@jest/globals';
import { slack } from '../../environments/slack.ts';

test('is never run', () => expect(slack).toBeDefined());
