import type { Types } from 'mongoose';
import { EARLIER_CLINICAL_QUESTIONS } from './clinical_safety/earlierRows.ts';
import type { Resolution } from './contracts/interrupts.ts';
import { fromEarlier, type RowDecision } from './contracts/questionRows.ts';
import type { RowDecider } from './contracts/rowDeciders.ts';
import { entity } from './store/entity.ts';
import { WORK_FIELDS, type WorkRow } from './store/workKind.ts';

/**
 * Side effects of an answer or a withdrawal, written in the same update and applied idempotently. Resuming the run comes
 * first, because a person waits for it.
 */
export const CONSEQUENCES = ['resume', 'audit', 'deliveries', 'webhook'] as const;
export type Consequence = (typeof CONSEQUENCES)[number];

/** A program outside Arc that asked a question with an access token. */
type OutsideAsker = {
  tokenId: Types.ObjectId;
  /** The token's name when it asked. */
  name: string;
  /** A question that is not answered by then is withdrawn. */
  expiresAt: Date;
  /** The URL that gets the answer; null where it is only read. */
  webhook: string | null;
};

/** A row's decider, as stored. */
export type StoredDecider = Omit<RowDecider, 'at'> & { at: Date };

/** An answer from where nobody can sign: it decides nothing. */
type Proposal = {
  userId: number;
  name: string;
  via: Resolution['via'];
  at: Date;
  outcome: Resolution['outcome'];
  answerDigest: string;
};

/** A person's signature under an answer, for exactly what was shown and answered. */
export type Signature = {
  userId: number;
  name: string;
  at: Date;
  reason: string;
  /** Profession, register and number of the officer; null for a deputy. */
  registration: string | null;
  outcome: Resolution['outcome'];
  answerDigest: string;
};

/** The first of two signatures, with where it was given. */
export type FirstSignature = Signature & { via: Resolution['via'] };

/** Why a first signature stopped counting before a second person signed. */
export type SignatureLoss = 'left' | 'may-not-sign' | 'one-signs';

/** A first signature that was withdrawn, because its signer lost the right to sign or the company's rule changed. */
export type LapsedSignature = Pick<FirstSignature, 'userId' | 'name' | 'outcome' | 'at'> & {
  cause: SignatureLoss;
  withdrawnAt: Date;
};

/** A member's comment on a question. */
type QuestionComment = { id: string; userId: number; name: string; via: Resolution['via']; at: Date; text: string };

/**
 * A question that an agent or a program asks a person. This row is the only record of it; every surface draws from it. Its
 * fields of work are for the side effects in its outbox; rows of earlier versions may lack them.
 */
export type InterruptRow = WorkRow & {
  _id: number;
  accountId: number;
  userAgentId: number;
  agentId: string;
  agentName: string;
  /** The run that asks; null for a question from outside. */
  runId: Types.ObjectId | null;
  /** The member whose work asks; absent or null where nobody's does, and in rows of earlier versions. */
  startedBy?: number | null;
  /** The program that asks with an access token; absent or null where an agent asks. */
  outside?: OutsideAsker | null;
  conversationId: Types.ObjectId | null;
  /** Idempotency key: run, step and round. */
  askKey: string;
  /** The kind of question: what it shows, and how it is answered. */
  interruptType: string;
  /** Whose answer it needs, beyond an approver's. */
  requires: 'clinical-safety-officer' | null;
  status: 'pending' | 'resolved' | 'cancelled';
  prompt: string;
  options: (string | { id: string; label: string; action: string })[];
  context: Record<string, unknown>;
  shownDigest: string;
  draft: {
    rows: RowDecision[];
    chosen?: Record<string, string>;
    version: number;
    savedAt: Date | null;
    savedBy: string | null;
    /** Rows whose decision was carried over from a withdrawn review and has not been changed since. */
    kept?: string[];
    /** The decisions of the last step that decided all undecided rows at once. */
    rest?: RowDecision[];
  } | null;
  /** Who decided each row; a preselected row has nobody. */
  decidedBy?: StoredDecider[];
  userResponse: unknown;
  /** Digest of the canonical answer; repeated answers are compared by it. */
  answerDigest: string | null;
  /** `shownDigest` is set where the surface showed less than the whole question, and covers what it showed. */
  resolution: (Omit<Resolution, 'at' | 'text'> & { at: Date; shownDigest?: string }) | null;
  /** Absent or null where nothing was proposed. */
  proposal?: Proposal | null;
  /** Absent or null where the answer was not signed. */
  signature?: Signature | null;
  /** The first of two signatures; while the question is open, the second person has not signed. */
  firstSignature?: FirstSignature | null;
  /** The last first signature that was withdrawn. Absent or null where none was. */
  lapsedSignature?: LapsedSignature | null;
  outbox: Consequence[];
  /** Dead letters: side effects that were given up. */
  setAside?: Consequence[];
  /** When a question that waits is next brought to somebody's attention. Absent or null until that is counted. */
  remindAt?: Date | null;
  /** How often that happened: 1 for the reminder, 2 once it went to the deputy. */
  reminders?: number;
  /** The member who is to answer it; others may too. Absent or null for nobody. */
  assignee?: { userId: number; name: string } | null;
  /** Until when nobody is reminded of it; a past time has ended. Absent or null without. */
  snooze?: { until: Date; by: { userId: number; name: string } } | null;
  /** What members said about it, oldest first. */
  comments?: QuestionComment[];
  createdAt: Date;
  resolvedAt: Date | null;
  /** The person who withdrew it; null where Arc did. Absent unless it was withdrawn. */
  withdrawnBy?: number | null;
};

/** Who signed a question's answer, first to last. A first signature under another answer is none under this one. */
export const signaturesOf = ({
  signature,
  firstSignature,
}: Pick<InterruptRow, 'signature' | 'firstSignature'>): Signature[] => {
  if (!signature) return [];
  return firstSignature?.answerDigest === signature.answerDigest ? [firstSignature, signature] : [signature];
};

/** The side effects that an answer has. */
export const consequencesOf = ({ runId, outside }: Pick<InterruptRow, 'runId' | 'outside'>): Consequence[] =>
  CONSEQUENCES.filter((it) => (it === 'resume' ? runId !== null : it !== 'webhook' || Boolean(outside?.webhook)));

/** The side effects of withdrawing a question: nothing is resumed. */
export const withdrawalOf = (row: Pick<InterruptRow, 'outside'>): Consequence[] =>
  consequencesOf({ runId: null, outside: row.outside ?? null });

/** Whether a pending question's time is over. */
export const hasExpired = ({ outside }: Pick<InterruptRow, 'outside'>, now: number): boolean =>
  outside != null && outside.expiresAt.getTime() <= now;

/** Key and outcome of an answered question's audit row; verification compares both. */
export const auditOfAnswer = (row: Pick<InterruptRow, '_id' | 'resolution' | 'answerDigest'>) => ({
  key: `interrupt:${row._id}:answered`,
  outcome: `${row.resolution?.outcome}:${row.answerDigest}`,
});

export const Interrupt = entity<InterruptRow>({
  name: 'Interrupt',
  collection: 'interrupts',
  scope: 'customer',
  fields: {
    _id: Number,
    userAgentId: Number,
    agentId: String,
    agentName: String,
    runId: { type: 'ObjectId', default: null },
    startedBy: { type: Number, default: null },
    outside: { type: Object, default: null },
    conversationId: { type: 'ObjectId', default: null },
    askKey: String,
    interruptType: String,
    requires: String,
    status: String,
    prompt: String,
    options: { type: [Object], default: [] },
    context: { type: Object, default: {} },
    shownDigest: String,
    draft: { type: Object, default: null },
    decidedBy: { type: [Object], default: [] },
    userResponse: { type: Object, default: null },
    answerDigest: { type: String, default: null },
    resolution: { type: Object, default: null },
    proposal: { type: Object, default: null },
    signature: { type: Object, default: null },
    firstSignature: { type: Object, default: null },
    lapsedSignature: { type: Object, default: null },
    outbox: { type: [String], default: [] },
    ...WORK_FIELDS,
    setAside: { type: [String], default: [] },
    remindAt: { type: Date, default: null },
    reminders: { type: Number, default: 0 },
    assignee: { type: Object, default: null },
    snooze: { type: Object, default: null },
    comments: { type: [Object], default: [] },
    createdAt: { type: Date, default: Date.now },
    resolvedAt: { type: Date, default: null },
    withdrawnBy: Number,
  },
  names: [
    { name: 'resolution.by.name', userId: 'resolution.by.userId' },
    { name: 'draft.savedBy' },
    { name: 'proposal.name', userId: 'proposal.userId' },
    { name: 'signature.name', userId: 'signature.userId' },
    { name: 'firstSignature.name', userId: 'firstSignature.userId' },
    { name: 'lapsedSignature.name', userId: 'lapsedSignature.userId' },
    { name: 'decidedBy.name', userId: 'decidedBy.userId', isList: true },
    { name: 'assignee.name', userId: 'assignee.userId' },
    { name: 'snooze.by.name', userId: 'snooze.by.userId' },
    { name: 'comments.name', userId: 'comments.userId', isList: true },
  ],
  indexes: [
    [{ accountId: 1, askKey: 1 }, { unique: true }],
    [{ accountId: 1, userAgentId: 1, status: 1, _id: -1 }],
    [{ accountId: 1, status: 1 }],
    [{ remindAt: 1 }, { partialFilterExpression: { status: 'pending' } }],
    [
      { 'outside.expiresAt': 1 },
      { partialFilterExpression: { status: 'pending', 'outside.expiresAt': { $exists: true } } },
    ],
    [{ 'outside.tokenId': 1, _id: -1 }, { partialFilterExpression: { 'outside.tokenId': { $exists: true } } }],
    [{ setAside: 1 }],
    [{ outbox: 1 }, { partialFilterExpression: { status: 'resolved' } }],
    [{ outbox: 1, _id: 1 }, { partialFilterExpression: { status: 'cancelled' } }],
  ],
  migrations: [
    {
      title: 'questions say whose answer they need, and decisions name the option that was chosen',
      change(row) {
        const { draft, requires, interruptType } = row as InterruptRow;
        return {
          ...row,
          requires: requires ?? (EARLIER_CLINICAL_QUESTIONS.includes(interruptType) ? 'clinical-safety-officer' : null),
          // A recorded answer is never rewritten: its digest was signed.
          ...(draft ? { draft: { ...draft, rows: draft.rows.map((decided) => fromEarlier(decided)) } } : {}),
        };
      },
    },
  ],
});
