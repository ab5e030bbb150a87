import { expect, test } from '@jest/globals';
import { mailConfigured } from '../../../bot/engine/mail/sendMail.ts';

test('without a mail server no mail is offered', () => {
  expect(mailConfigured()).toBe(false);
});
