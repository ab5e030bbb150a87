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
  names: [
    'approval',
    'approvals',
    'inbox question',
    'inbox questions',
    'inbox item',
    'inbox items',
    'approval request',
    'approval requests',
    'requests for approval',
    'interrupts',
    'prompts',
    'open question',
    'inbox',
  ],
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
      stateField(
        'waiting',
        'waiting, pending, open, outstanding, unanswered, waiting for answer, waiting on somebody, waiting on someone, waiting for somebody, waiting for someone, waiting on us, waiting for us, waiting on me, waiting for me, awaiting answer, awaiting reply, awaiting response, unresolved, undecided, still open, not dealt with, unactioned, to be answered',
        (row) => {
          return row.status === 'pending';
        },
      ),
      eventField(
        'answered',
        'answered, resolved, decided, closed, dealt with, replied to, settled, responded to, actioned',
        ({ status }) => status === 'resolved',
      ),
      eventField(
        'withdrawn',
        'withdrawn, cancelled, canceled, pulled, taken back, called off, retracted',
        ({ status }) => status === 'cancelled',
      ),
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
          before: inThePast([
            'answered by',
            'resolved by',
            'decided by',
            'closed by',
            'dealt with by',
            'handled by',
            'approved by',
          ]),
          behind: [
            'answered',
            'answer',
            'resolved',
            'resolve',
            'decided',
            'decide',
            'has answered',
            'dealt with',
            'handled',
            'replied to',
            'approved',
            'approve',
            'deal with',
            'handle',
            'reply to',
          ],
          isPast: true,
          isPerson: true,
        },
        ({ resolution }) => resolution?.by.name ?? null,
      ),
      namedField(
        {
          id: 'channel',
          names: ['channel', 'channels'],
          noun: 'channel',
          before: [
            ...inThePast([
              'answered in',
              'answered on',
              'answered via',
              'answered through',
              'answered from',
              'resolved in',
              'resolved via',
              'decided in',
              'answered using',
              'answered over',
            ]),
            'in',
            'on',
            'via',
            'through',
            'over',
            'from',
          ],
          isPast: true,
          usual: Object.values(PLACES),
        },
        ({ resolution }) => (resolution ? PLACES[resolution.via] : null),
      ),
    ],
    outside: ({ prompt, agentName }) => [shownPrompt(prompt), agentName],
    line: ({ _id, agentName, prompt, status }) => `${_id}, ${WORDS[status]}, ${agentName}: ${shownPrompt(prompt)}`,
  };
}
