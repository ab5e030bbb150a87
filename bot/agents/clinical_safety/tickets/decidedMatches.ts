import type { StaleDecision } from '../../../../models/contracts/clinical_safety/matches.ts';
import type { LogHazard } from '../reading/logModel.ts';
import { sameId } from '../reading/readHazards.ts';
import type { MatchDecision, TicketRecord } from '../worker/jobs.ts';
import { digestTicket, type makeHazardReader } from './matchEvidence.ts';

/** People's decisions on one ticket, by hazard of the current log. */
export type Decided = {
  /** The hazards that cover it. */
  covering: LogHazard[];
  /** The hazards that don't. */
  ruledOut: ReadonlySet<LogHazard>;
  /** Decisions that no longer hold because a text changed. */
  stale: ReadonlyMap<LogHazard, StaleDecision>;
};

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The newest decision on a hazard; `changed` is null while it holds. */
type Newest = Pick<MatchDecision, 'covers' | 'at'> & { changed: StaleDecision['changed'] | null };

const NOTHING: Decided = { covering: [], ruledOut: new Set(), stale: new Map() };

/**
 * Makes a lookup of what people decided on a ticket. A decision holds while both texts are the same; a hazard whose
 * texts are unchanged is found under another id too, and then the newest decision on it counts. A decision on a hazard
 * that was removed from the log is ignored.
 */
export function makeDecisionLookup(
  decisions: readonly MatchDecision[],
  hazards: readonly LogHazard[],
  read: ReturnType<typeof makeHazardReader>,
): (ticket: TicketRecord) => Decided {
  if (decisions.length === 0) return () => NOTHING;
  const byTicket = groupBy(decisions, ({ ticketKey }) => ticketKey.toUpperCase());
  const byId = groupBy(
    hazards.filter(({ hasId }) => hasId),
    ({ id }) => sameId(id),
  );
  let byDigest: Map<string, LogHazard[]> | null = null;
  const findSameText = (digest: string) => {
    byDigest ??= groupBy(hazards, (hazard) => read(hazard).digest);
    return byDigest.get(digest)?.[0];
  };
  return (ticket) => {
    const own = byTicket.get(ticket.key.toUpperCase());
    if (!own) return NOTHING;
    const digest = digestTicket(ticket);
    const newest = new Map<LogHazard, Newest>();
    for (const { hazardId, hazardDigest, ticketDigest, covers, at } of own) {
      const named = byId.get(sameId(hazardId)) ?? [];
      const same = named.find((hazard) => read(hazard).digest === hazardDigest) ?? findSameText(hazardDigest);
      const hazard = same ?? named[0];
      if (!hazard || at < (newest.get(hazard)?.at ?? '')) continue;
      const ticketChanged = ticketDigest !== digest;
      const changed = ticketChanged ? (same ? 'ticket' : 'both') : same ? null : 'hazard';
      newest.set(hazard, { covers, at, changed });
    }
    const covering: LogHazard[] = [];
    const ruledOut = new Set<LogHazard>();
    const stale = new Map<LogHazard, StaleDecision>();
    for (const [hazard, { covers, at, changed }] of newest) {
      if (changed) stale.set(hazard, { covers, at, changed });
      else if (covers) covering.push(hazard);
      else ruledOut.add(hazard);
    }
    return { covering, ruledOut, stale };
  };
}
