import { LedgerEntry, type LedgerEntryRow } from '../../../models/ledgerEntry.ts';
import { readBalance } from '../credits/credits.ts';
import type { Askable } from '../queries/answerQuery.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { eventField } from '../queries/flagField.ts';
import { namedField } from '../queries/namedField.ts';
import { allNouns } from '../queries/nouns.ts';
import { readNewest } from './newest.ts';
import { nameOfAgent } from './questions.ts';

type Row = Pick<LedgerEntryRow, 'kind' | 'amount' | 'agentId' | 'note'>;

export const CREDITS: Nouns = {
  one: 'entry of credits',
  many: 'entries of credits',
  names: [
    ...['credit entry', 'credit entries', 'ledger entry', 'ledger entries', 'bookings of credits', 'credits ledger'],
    ...['credit movement', 'credit movements', 'movements of credits', 'credit transaction', 'credit transactions'],
    ...[
      'credit ledger',
      'ledger',
      'credit history',
      'credit log',
      'credit statement',
      'credit bookings',
      'transactions',
    ],
    ...['credit records', 'credit lines', 'credit usage', 'credit activity'],
  ],
};

/** The movements of an account's credits. */
export async function credits(accountId: number): Promise<Entity<Row>> {
  const { rows, remark } = await readNewest<Row>(
    (limit) =>
      LedgerEntry.find({ accountId }, { kind: 1, amount: 1, agentId: 1, note: 1 })
        .sort({ seq: -1 })
        .limit(limit)
        .lean(),
    () => LedgerEntry.countDocuments({ accountId }),
    CREDITS.many,
  );
  return {
    id: 'credits',
    ...CREDITS,
    measure: 'amount',
    rows,
    remark,
    fields: [
      eventField('granted', 'granted, given, added, topped up, paid in', ({ kind }) => kind === 'grant'),
      eventField('reserved', 'reserved, set aside, held, held back, put aside', ({ kind }) => kind === 'reserve'),
      eventField(
        'settled',
        'settled, given back, refunded, returned, released, paid back',
        ({ kind }) => kind === 'settle',
      ),
      {
        id: 'amount',
        kind: 'number',
        names: ['amount', 'amounts', 'credits', 'credit', 'worth', 'size', 'value'],
        noun: 'amount',
        has: 'an amount',
        lacks: 'no amount',
        read: ({ amount }) => amount,
      },
      namedField({ id: 'agent', names: ['agent'], noun: 'agent', before: ['by', 'of', 'for'] }, ({ agentId }) =>
        agentId ? nameOfAgent(agentId) : null,
      ),
    ],
    outside: ({ note }) => [note],
    line: ({ note, amount }) => `${note}: ${amount > 0 ? '+' : ''}${amount}`,
  };
}

/** What credits are left, asked for by nouns of their own: "how many credits do we have left". */
export const BALANCE: Nouns = {
  one: 'credit balance',
  many: 'credits',
  names: ['balance', 'credit left', 'credits left', 'credits remaining', 'remaining credits'],
};
const ASKS_BALANCE =
  /^(?:(?:how many|what is|what's|show|show me|tell me|whats) )?(?:my |your )?(?:credit balance|balance|remaining credits|credits left|credits remaining|credits(?: (?:do|have|are) ?(?:i|we|there)?)?(?: have| got)?(?: left| remaining| available| over)?)(?: (?:do|have) (?:i|we)(?: have)?)?(?: left)?$/;

/** The credits left and used; null for any other question about them. */
export async function balance(accountId: number): Promise<Askable> {
  const { tokensRemaining, tokensUsed } = await readBalance(accountId);
  return {
    nouns: allNouns(BALANCE),
    ask: (line) =>
      ASKS_BALANCE.test(line)
        ? {
            text: `${tokensRemaining} ${tokensRemaining === 1 ? 'credit' : 'credits'} left, ${tokensUsed} used.`,
            asked: null,
            outside: [],
          }
        : null,
    unread: () => [],
    words: () => [],
    isAbout: () => true,
    answer: () => null,
    follow: () => null,
    adopt: () => ({ cannot: 'Credits left can’t be asked for like that. Ask “How many credits are left?”.' }),
    nounOf: (field) => field,
  };
}
