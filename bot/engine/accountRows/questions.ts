import { AGENTS } from '../../../models/contracts/catalogue.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { shorten } from '../delivery/splitText.ts';
import { PLACES } from '../delivery/viewInterrupt.ts';
import type { Entity, Nouns } from '../queries/entity.ts';
import { eventField, inThePast, stateField } from '../queries/flagField.ts';
import { namedField } from '../queries/namedField.ts';
import { kindOf } from '../questions/kinds/index.ts';
import { readNewest } from './newest.ts';

type Row = Pick<InterruptRow, '_id' | 'agentName' | 'interruptType' | 'status' | 'prompt' | 'resolution'>;

export const QUESTIONS: Nouns = {
  one: 'question',
  many: 'questions',
  names: ['approval', 'approvals', 'inbox question', 'inbox questions'],
};

/** The name of an agent of the catalogue; its id where the catalogue no longer has it. */
export const nameOfAgent = (agentId: string): string => AGENTS.find(({ id }) => id === agentId)?.displayName ?? agentId;

const WORDS: Record<Row['status'], string> = { pending: 'waiting', resolved: 'answered', cancelled: 'withdrawn' };
const MAX_PROMPT = 160;
const shownPrompt = (prompt: string) => shorten(prompt.replace(/\s+/g, ' '), MAX_PROMPT);

/** The questions of an account's inbox. */
export async function questions(accountId: number): Promise<Entity<Row>> {
  const fields = { agentName: 1, interruptType: 1, status: 1, prompt: 1, resolution: 1 };
  const { rows, remark } = await readNewest<Row>(
    (limit) => Interrupt.find({ accountId }, fields).sort({ _id: -1 }).limit(limit).lean(),
    () => Interrupt.countDocuments({ accountId }),
    QUESTIONS.many,
  );
  return {
    id: 'questions',
    ...QUESTIONS,
    rows,
    remark,
    fields: [
      stateField('waiting', 'waiting, pending, open, outstanding, unanswered, waiting for answer', (row) => {
        return row.status === 'pending';
      }),
      eventField('answered', 'answered, resolved, decided', ({ status }) => status === 'resolved'),
      eventField('withdrawn', 'withdrawn, cancelled, canceled', ({ status }) => status === 'cancelled'),
      namedField(
        { id: 'agent', names: ['agent'], noun: 'agent', before: ['by', 'from', 'of', 'asked by'], behind: ['asked'] },
        ({ agentName }) => agentName,
      ),
      namedField(
        { id: 'kind', names: ['kind', 'type', 'kinds', 'types'], noun: 'kind', before: ['of kind', 'of type'] },
        ({ interruptType }) => kindOf(interruptType).label,
      ),
      namedField(
        {
          id: 'answerer',
          names: ['person', 'answerer'],
          noun: 'person who answered',
          before: inThePast(['answered by', 'resolved by', 'decided by']),
        },
        ({ resolution }) => resolution?.by.name ?? null,
      ),
      namedField(
        {
          id: 'channel',
          names: ['channel', 'channels'],
          noun: 'channel',
          before: [...inThePast(['answered in', 'answered on']), 'in', 'on'],
          usual: Object.values(PLACES),
        },
        ({ resolution }) => (resolution ? PLACES[resolution.via] : null),
      ),
    ],
    outside: ({ prompt, agentName }) => [shownPrompt(prompt), agentName],
    line: ({ _id, agentName, prompt, status }) => `${_id}, ${WORDS[status]}, ${agentName}: ${shownPrompt(prompt)}`,
  };
}
