import { expect, test } from '@jest/globals';
import { mailConfigured } from '../../../bot/engine/mail/sendMail.ts';

test('without a mail server, mail is not available', () => {
  expect(mailConfigured()).toBe(false);
});
