import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { User } from '../../models/user.ts';
import { refuseUse, tell, withStore } from './withStore.ts';

const USE = 'npm run admin -- grant EMAIL | revoke EMAIL | list';
const [verb, email = ''] = process.argv.slice(2);
const change = { grant: true, revoke: false }[verb ?? ''];

/** Makes and unmakes administrators; for the machine's owner, because it asks for no password. */
await withStore(async () => {
  if (verb === 'list') {
    const admins = await User.find({ isAdmin: true }, { email: 1 }).lean();
    tell(admins.length > 0 ? admins.map((user) => user.email).join('\n') : 'There is no administrator.');
    return;
  }
  if (change === undefined || !email) refuseUse(USE);
  const known = await changeUser(email, { isAdmin: change });
  tell(known ? `${email} ${change ? 'is' : 'is not'} an administrator now.` : `No user has the e-mail ${email}.`);
  if (!known) process.exitCode = 1;
});
