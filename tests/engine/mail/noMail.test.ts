/** @environment store */
import { expect, jest, test } from '@jest/globals';
import { mailMember } from '../../../bot/engine/delivery/deliverMail.ts';
import { mailConfigured } from '../../../bot/engine/mail/sendMail.ts';
import { Account } from '../../../models/account.ts';
import { Delivery } from '../../../models/delivery.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore } from '../../factories/account.ts';
import { addUser, join } from '../../factories/members.ts';
import { eventually } from '../../factories/person.ts';
import { nextNumber } from '../../factories/who.ts';

connectTestStore();

test('without a mail server, mail is not available', () => {
  expect(mailConfigured()).toBe(false);
});

test('without a mail server, a mail is a log line, also for the unverified address of every sign-up there', async () => {
  const accountId = nextNumber();
  await Account.create({ _id: accountId, name: 'Quillmere' });
  const user = await addUser({ emailVerified: false });
  await join(user, accountId, ['owner']);
  const info = jest.spyOn(logger, 'info').mockReturnValue(undefined);
  await runInAccount(accountId, async () => {
    await mailMember({ accountId, userId: user._id }, 'low', 'creditsLow', { remaining: 7 });
    const isSettled = async () => (await Delivery.find({ accountId }).lean()).every(({ status }) => status !== 'due');
    await eventually(isSettled, 'the mail to be settled');
  });
  expect(info).toHaveBeenCalledWith(
    { account: accountId, user: user._id, mail: 'creditsLow' },
    'not mailed: SMTP_URL is not set',
  );
  info.mockRestore();
});
