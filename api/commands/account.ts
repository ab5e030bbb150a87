import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { channels } from '../../bot/channels/index.ts';
import { connectors } from '../../bot/connectors/index.ts';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { erase, planErasure } from '../../bot/engine/accounts/eraseAccount.ts';
import { exportAccount } from '../../bot/engine/accounts/exportAccount.ts';
import { registerRevocations } from '../../bot/engine/accounts/installations.ts';
import { hashPassword } from '../../bot/engine/accounts/passwords.ts';
import { hasCredentials } from '../../bot/engine/connectors/connector.ts';
import { registerConnector } from '../../bot/engine/connectors/registry.ts';
import { revokeAccess } from '../../bot/engine/connectors/revokeAccess.ts';
import { listFeedback } from '../../bot/engine/conversations/listFeedback.ts';
import { endPayments } from '../../bot/engine/payments/readPaidPlan.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { exitWithUsage, print, withStore } from './withStore.ts';

const USAGE =
  'npm run account -- reset EMAIL | export EMAIL [FILE] | feedback EMAIL | erase EMAIL [--confirm EMAIL]\n' +
  'feedback prints what people thought of answers as JSON lines; export writes a gzipped file of JSON lines; erase can’t be undone.';
const [verb = '', email = '', ...rest] = process.argv.slice(2);

/** Sets a random password for a user where no mail is configured; all their sessions end. */
async function reset(): Promise<void> {
  const password = `${randomBytes(9).toString('base64url')}1`;
  const known = await changeUser(email, {
    passwordHash: await hashPassword(password),
    sessionsValidFrom: new Date(),
  });
  if (!known) throw new AppError('not_found');
  print(`The new password of ${email} is ${password}`);
}

/** Writes all data of the person's companies into one file, readable by its owner only. */
async function exportAll(): Promise<void> {
  const file = rest[0] ?? `${email.replace(/[^\w.@-]/g, '_')}.jsonl.gz`;
  const lines = exportAccount(email);
  // Read before the file is created, so that an unknown e-mail leaves no file.
  const first = await lines.next();
  async function* all() {
    if (!first.done) yield first.value;
    yield* lines;
  }
  await pipeline(Readable.from(all()), createGzip(), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  print(`Written to ${file}`);
}

/** Erases a person and the companies that only they own, once the e-mail was typed a second time. */
async function eraseAll(): Promise<void> {
  const plan = await planErasure(email);
  const { whole, only, others } = plan;
  if (whole.length > 0) {
    print(
      `This erases ${whole.length === 1 ? 'an account' : `${whole.length} accounts`} completely: conversations, analyses, files, credits, connections.`,
    );
    if (others > 0) print(`${others} other ${others === 1 ? 'member loses' : 'members lose'} it too.`);
  }
  if (only.length > 0)
    print(`In ${only.length} further ${only.length === 1 ? 'account' : 'accounts'} only the person’s data is erased.`);
  print(
    'The audit chain stays: it holds numbers and digests, and verifies as before. A copy made earlier is not touched.',
  );
  const typed = rest[0] === '--confirm' ? rest[1] : await ask(`Type ${email} to erase: `);
  if (typed?.trim().toLowerCase() !== email.trim().toLowerCase()) {
    print('Nothing was erased.');
    process.exitCode = 1;
    return;
  }
  const left = await revokeAll(whole);
  for (const accountId of whole)
    if (!(await endPayments(accountId)))
      print('The company pays for a plan, and this server has no keys for Stripe: end the subscription there.');
  print(`Erased: ${(await erase(plan)).toLocaleString('en-GB')} documents.`);
  if (left.length > 0) {
    print(`Not confirmed as revoked: ${left.join(', ')}. Arc’s tokens are deleted; to be sure, remove Arc there.`);
  }
}

/**
 * Revokes the accounts' access at every provider, while the tokens are still there.
 * @returns where it was not confirmed
 */
async function revokeAll(accountIds: readonly number[]): Promise<string[]> {
  registerRevocations(channels);
  for (const connector of connectors) if (hasCredentials(connector)) registerConnector(connector);
  return (await Promise.all(accountIds.map(revokeAccess))).flat();
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return answer;
}

/** Prints the judged answers, one JSON line each. */
async function printFeedback(): Promise<void> {
  for (const judged of await listFeedback(email)) print(JSON.stringify(judged));
}

const VERBS: Record<string, () => Promise<void>> = {
  ...{ reset, erase: eraseAll },
  export: exportAll,
  feedback: printFeedback,
};

/** Commands on an account for the operator; no password is asked for. */
await withStore(async () => {
  const run = VERBS[verb];
  if (!run || !email) exitWithUsage(USAGE);
  try {
    await run();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') print(`No user has the e-mail ${email}.`);
    else if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      print(`${(error as NodeJS.ErrnoException).path} is there already.`);
    else throw error;
    process.exitCode = 1;
  }
});
