import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../bot/engine/accounts/passwords.ts';
import { User } from '../../models/user.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const USE = 'npm run account -- reset EMAIL';
const [verb, email = ''] = process.argv.slice(2);

/** Gives a user a new password where no mail is configured; every session of before ends. */
await withStore(async () => {
  if (verb !== 'reset' || !email) refuseUse(USE);
  const password = `${randomBytes(9).toString('base64url')}1`;
  const { matchedCount } = await User.updateOne(
    { email: email.trim().toLowerCase() },
    { $set: { passwordHash: await hashPassword(password), sessionsValidFrom: new Date() } },
  );
  tell(matchedCount === 1 ? `The new password of ${email} is ${password}` : `No user has the e-mail ${email}.`);
  if (matchedCount !== 1) process.exitCode = 1;
});
