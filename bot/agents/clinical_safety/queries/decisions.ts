import { TicketMatch, type TicketMatchRow } from '../../../../models/clinical_safety/ticketMatch.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { readNewest } from '../../../engine/accountRows/newest.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { PLACES } from '../../../engine/delivery/viewInterrupt.ts';
import type { Entity, Nouns } from '../../../engine/queries/entity.ts';
import { eventField, inThePast } from '../../../engine/queries/flagField.ts';
import { namedField } from '../../../engine/queries/namedField.ts';
import { OF_HAZARD } from './ofHazard.ts';

export const DECISIONS: Nouns = {
  one: 'decision',
  many: 'decisions',
  names: [
    'ticket decision',
    'ticket decisions',
    'ruling',
    'rulings',
    'verdict of person',
    'decisions on tickets',
    'matching decisions',
    'match decision',
    'match decisions',
    'decision on match',
    'decisions on matches',
  ],
};

/** What people of an account decided on possible matches. */
export async function decisions(accountId: number): Promise<Entity<TicketMatchRow>> {
  const { rows, remark } = await readNewest<TicketMatchRow>(
    (limit) => TicketMatch.find({ accountId }).sort({ at: -1 }).limit(limit).lean(),
    () => TicketMatch.countDocuments({ accountId }),
    DECISIONS.many,
  );
  const timeZone = await readTimeZone(accountId);
  return {
    id: 'decisions',
    ...DECISIONS,
    rows,
    remark,
    fields: [
      eventField('confirmed', 'confirmed, accepted', ({ covers }) => covers, 'ruled out, rejected'),
      eventField('taken back', 'taken back, withdrawn, undone', ({ takenBack }) => takenBack !== null),
      namedField(
        {
          id: 'person',
          names: ['person'],
          noun: 'person',
          before: ['by', ...inThePast(['made by']), 'of', 'from'],
          behind: ['made', 'make', 'took', 'take', 'has made', 'decided'],
          isPast: true,
          isPerson: true,
        },
        ({ by }) => by.name,
      ),
      namedField({ id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD }, ({ hazardId }) => hazardId),
      namedField(
        { id: 'ticket', names: ['ticket'], noun: 'ticket', before: ['of', 'for', 'on', 'about', 'for ticket'] },
        ({ ticketKey }) => ticketKey,
      ),
      namedField(
        { id: 'channel', names: ['channel'], noun: 'channel', before: ['in', ...inThePast(['made in'])] },
        ({ via }) => {
          return (PLACES as Record<string, string>)[via] ?? via;
        },
      ),
    ],
    outside: ({ by, takenBack }) => [by.name, takenBack?.name],
    line: ({ ticketKey, hazardId, covers, by, at, takenBack }) =>
      `${ticketKey}: ${hazardId} ${covers ? 'covers it' : 'does not cover it'} (${by.name}, ${dayText(at, timeZone)}${takenBack ? `; taken back by ${takenBack.name}` : ''})`,
  };
}
