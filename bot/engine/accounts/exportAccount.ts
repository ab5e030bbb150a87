import { EJSON } from 'bson';
import { auditTrail } from '../../../models/auditEvent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
// Loads every entity: each declares the field with its rows' account id.
import '../../../models/entities.ts';
import { ACCOUNT_EXPORT, type FileRow } from '../../../models/file.ts';
import { readFileBytes } from '../../../models/files.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyReadAccount } from '../../../models/store/accountRows.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { verifyAudit } from '../audit/verifyAudit.ts';

/** Replaces secrets: they are not personal data, and whoever reads the file could use them. */
const WITHHELD = '[withheld]';
/** Short-lived collections, left out of the export. */
const PASSING = new Set(['sessions', 'signals', 'oauthStates']);
const SECRETS = new Set(['passwordHash', 'codeHash', 'tokenHash', 'token', 'verifier']);
const isSealed = (value: unknown) =>
  typeof value === 'object' && value !== null && 'keyId' in value && 'nonce' in value && 'tag' in value;

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (isSealed(value)) return WITHHELD;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, SECRETS.has(name) && one ? WITHHELD : withoutSecrets(one)]),
  );
}

const line = (value: unknown) => `${EJSON.stringify(withoutSecrets(value) as object, { relaxed: true })}\n`;

/** The state of an account's audit chain, then its documents, and after each stored file its bytes. */
async function* linesOfAccount(accountId: number, onDocument: () => void): AsyncGenerator<string> {
  const [head, audit] = await runInAccount(accountId, () =>
    Promise.all([auditTrail.head(accountId), verifyAudit(accountId)]),
  );
  yield line({ account: accountId, auditHead: head?.hash ?? null, auditRows: audit.rows, auditWhole: audit.whole });
  for await (const { collection, document } of dangerouslyReadAccount(accountId)) {
    onDocument();
    if (PASSING.has(collection)) continue;
    yield line({ collection, document });
    const file = collection === 'storedFiles' ? (document as FileRow) : null;
    // An export in an export would double it each time.
    if (file && !file.removed && file.kind !== ACCOUNT_EXPORT) {
      const bytes = await runInAccount(accountId, () => readFileBytes(file)).catch(() => null);
      if (bytes) yield line({ file: String(file._id), name: file.name, base64: bytes.toString('base64') });
    }
  }
}

async function* linesOf(user: UserRow, accounts: readonly number[], onDocument: () => void): AsyncGenerator<string> {
  yield line({ format: 'arc-account', version: 1, email: user.email, accounts, exportedAt: new Date() });
  yield line({ collection: 'users', document: user });
  for (const accountId of accounts) yield* linesOfAccount(accountId, onDocument);
}

/**
 * All data of a person's companies as lines of extended JSON: a header with the state of the audit chain, then one line
 * per document and per file (bytes in base64). Secrets are left out.
 * @throws AppError not_found where no user has the e-mail
 */
export async function* exportAccount(email: string): AsyncGenerator<string> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean();
  if (!user) throw new AppError('not_found');
  const memberships = await Member.find({ userId: user._id }).lean();
  yield* linesOf(
    user,
    memberships.map(({ accountId }) => accountId),
    () => undefined,
  );
}

/**
 * All data of one company, in the form of {@link exportAccount}, for one of its owners.
 * @param onDocument called for each document that was read
 * @throws AppError not_found where the person is gone
 */
export async function* exportCompany(
  accountId: number,
  userId: number,
  onDocument: () => void = () => undefined,
): AsyncGenerator<string> {
  const user = await User.findById(userId).lean();
  if (!user) throw new AppError('not_found');
  yield* linesOf(user, [accountId], onDocument);
}
