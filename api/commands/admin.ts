import { randomUUID } from 'node:crypto';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { setPlan } from '../../bot/engine/accounts/setPlan.ts';
import { recordForPerson } from '../../bot/engine/audit/recordEvent.ts';
import { setPlan as setPlanContract } from '../../models/contracts/admin.ts';
import { AppError, plainText } from '../../models/contracts/errors.ts';
import { User } from '../../models/user.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

const USAGE =
  'npm run admin -- grant EMAIL | revoke EMAIL | list | plan EMAIL trial|starter|pro|enterprise [until YYYY-MM-DD]';
const [verb, email = '', ...rest] = process.argv.slice(2);
const change = { grant: true, revoke: false }[verb ?? ''];

/** Sets the plan of a user's account. */
async function plan(): Promise<void> {
  const [name, ...when] = rest;
  const read = setPlanContract.body.omit({ userId: true }).safeParse({
    plan: name,
    // The word `until` is optional.
    until: when.filter((it) => it !== 'until')[0],
  });
  if (!email || !read.success) exitWithUsage(USAGE);
  const user = await User.findOne({ email: email.trim().toLowerCase() }, { _id: 1 }).lean();
  try {
    print(await setPlan(user?._id ?? 0, read.data.plan, read.data.until, { userId: null, key: randomUUID() }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    print(error.code === 'not_found' ? `No user has the e-mail ${email}.` : plainText(error));
    process.exitCode = 1;
  }
}

/** Grants and revokes administrator rights, and sets plans. For the operator; no password is asked for. */
await withStore(async () => {
  if (verb === 'list') {
    const admins = await User.find({ isAdmin: true }, { email: 1 }).lean();
    print(admins.length > 0 ? admins.map((user) => user.email).join('\n') : 'There is no administrator.');
    return;
  }
  if (verb === 'plan') return plan();
  if (change === undefined || !email) exitWithUsage(USAGE);
  const user = await User.findOne({ email: email.trim().toLowerCase() }, { _id: 1 }).lean();
  if (user) {
    const event = change ? 'administrator.granted' : 'administrator.revoked';
    await recordForPerson(user._id, event, { userId: null, outcome: change ? 'granted' : 'revoked' });
  }
  const known = await changeUser(email, { isAdmin: change });
  print(
    known
      ? `${email} ${change ? 'is now an administrator' : 'is no longer an administrator'}.`
      : `No user has the e-mail ${email}.`,
  );
  if (!known) process.exitCode = 1;
});
