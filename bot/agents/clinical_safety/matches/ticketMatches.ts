import { Types } from 'mongoose';
import { TicketMatch, type TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { onceByKey } from '../../../../models/store/duplicate.ts';
import { insertRows } from '../../../../models/store/insert.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { sameId } from '../reading/readHazards.ts';
import type { MatchDecision } from '../worker/jobs.ts';
import type { MatchRow } from './matchRow.ts';

/** Every decision of an account that holds, read in batches, so that thousands do not block other work. */
export async function loadDecisions(accountId: number): Promise<MatchDecision[]> {
  const decisions: MatchDecision[] = [];
  for await (const row of TicketMatch.find({ accountId, takenBack: null }).lean().cursor()) {
    const { ticketKey, hazardId, covers, ticketDigest, hazardDigest, at } = row;
    decisions.push({ ticketKey, hazardId, covers, ticketDigest, hazardDigest, at: new Date(at).toISOString() });
  }
  return decisions;
}

/** The hazard that a person chose for a ticket; null for none. */
export const chosenHazard = ({ possible }: MatchRow, { outcome, choice }: RowDecision): string | null =>
  outcome === 'rejected' ? null : (choice ?? possible[0]?.hazardId ?? null);

/** In a log without ids an id is made of the row's number, which the next version may give to another hazard. */
const keyOf = (hazardId: string, digest: string) =>
  /^row \d+(?: \(\d+\))?$/.test(hazardId) ? digest : sameId(hazardId);

/**
 * The decisions that an answered row stands for: the chosen hazard covers the ticket; with none, no possible one does.
 * A hazard that was asked about again and not chosen no longer covers it.
 */
function decisionsOf(row: MatchRow, decided: RowDecision) {
  const chosen = chosenHazard(row, decided);
  const known = [...row.possible.map((one) => ({ id: one.hazardId, digest: one.hazardDigest })), ...row.others];
  const covering = known.find(({ id }) => id === chosen);
  const denied = row.possible.filter(
    ({ hazardId, before }) => hazardId !== chosen && (chosen === null || before?.covers),
  );
  return [
    ...(covering ? [{ hazardId: covering.id, hazardDigest: covering.digest, covers: true }] : []),
    ...denied.map(({ hazardId, hazardDigest }) => ({ hazardId, hazardDigest, covers: false })),
  ];
}

/** Stores the decisions of an answered question, once: a retry writes the same, and never over a later answer. */
export async function saveDecisions(answered: InterruptRow, rows: readonly RowDecision[]): Promise<void> {
  const { _id: interruptId, accountId, resolution } = answered;
  const asked = new Map(((answered.context.rows ?? []) as MatchRow[]).map((row) => [row.id, row]));
  const sent = {
    by: resolution?.by ?? { userId: null, name: 'unknown' },
    at: resolution?.at ?? new Date(),
    via: resolution?.via ?? ('inbox' as const),
  };
  const deciders = new Map((answered.decidedBy ?? []).map((one) => [one.id, one]));
  /** Who decided a row; whoever sent the review, where its row names nobody. */
  const decidedIn = ({ id }: MatchRow) => {
    const decider = deciders.get(id);
    if (!decider) return sent;
    const { userId, name, at, via } = decider;
    return { by: { userId, name }, at, via };
  };
  const changes = rows.flatMap((decided) => {
    const row = asked.get(decided.id);
    return row ? decisionsOf(row, decided).map((decision) => ({ row, decision })) : [];
  });
  const made = changes.map(({ row, decision: { hazardId, hazardDigest, covers } }) => ({
    accountId,
    ticketKey: row.id.toUpperCase(),
    hazardKey: keyOf(hazardId, hazardDigest),
    hazardId,
    covers,
    ticketDigest: row.ticketDigest,
    hazardDigest,
    ...decidedIn(row),
    interruptId,
    takenBack: null,
  }));
  const tickets = made.map(({ ticketKey }) => ticketKey);
  if (made.length === 0) return;
  const isFirst = !(await TicketMatch.exists({ accountId, ticketKey: { $in: tickets } }));
  // Tickets are seldom judged twice: one insert writes them all.
  if (isFirst && (await onceByKey(() => insertRows(TicketMatch, made.map(withId))))) return;
  await Promise.all(made.map(replaceEarlier));
}

const withId = (decision: Omit<TicketMatchRow, '_id'>): TicketMatchRow => ({ _id: new Types.ObjectId(), ...decision });

/** Where this answer or a later one has decided, the insert meets its key and changes nothing. */
const replaceEarlier = ({ accountId, ticketKey, hazardKey, ...change }: Omit<TicketMatchRow, '_id'>) =>
  onceByKey(() =>
    TicketMatch.updateOne(
      { accountId, ticketKey, hazardKey, at: { $lt: change.at } },
      { $set: change },
      { upsert: true },
    ),
  );

const WHAT_CHANGED = {
  ticket: 'the ticket has changed since',
  hazard: 'the hazard has changed since',
  both: 'the ticket and the hazard have changed since',
};

/** Makes the sentences on what people decided on these tickets before: who, when, and what changed since. */
export async function loadEarlier(
  accountId: number,
  tickets: readonly TicketVerdict[],
): Promise<(ticket: TicketVerdict) => string | null> {
  const keys = tickets.map(({ key }) => key.toUpperCase());
  const timeZone = await readTimeZone(accountId);
  const rows = await TicketMatch.find({ accountId, ticketKey: { $in: keys } })
    .sort({ at: 1 })
    .lean();
  return ({ key, possible = [], digest }) => {
    const own = rows.filter(({ ticketKey }) => ticketKey === key.toUpperCase());
    const sentences = own.flatMap(({ hazardId, hazardDigest, ticketDigest, covers, by, at, takenBack }) => {
      const stale = possible.find(
        (one) =>
          one.before?.at === new Date(at).toISOString() &&
          (one.hazardDigest === hazardDigest || sameId(one.hazardId) === sameId(hazardId)),
      );
      // A hazard with the same texts may have another id by now, and its old one may be another hazard's.
      const isRenamed = stale && sameId(stale.hazardId) !== sameId(hazardId);
      const named = isRenamed ? `${hazardId} (now ${stale.hazardId})` : hazardId;
      const told = `${by?.name ?? 'Somebody'} ${covers ? 'confirmed' : 'ruled out'} ${named} on ${dayText(at, timeZone)}`;
      if (takenBack) return [`${told}; ${takenBack.name} took it back on ${dayText(takenBack.at, timeZone)}.`];
      if (stale?.before) return [`${told}; ${WHAT_CHANGED[stale.before.changed]}.`];
      // The hazard was removed from the log, or its words are no longer near.
      if (covers) return [`${told}, which no longer covers it.`];
      return ticketDigest === digest && hazardDigest ? [`${told}.`] : [];
    });
    return sentences.length > 0 ? sentences.join(' ') : null;
  };
}
