import { describe, expect, test } from '@jest/globals';
import { hazardReview } from '../../bot/agents/clinical_safety/questions/hazardReview.ts';
import { homeView } from '../../bot/channels/slack/cards/homeView.ts';
import { closedPost, questionPost } from '../../bot/channels/slack/cards/interruptBlocks.ts';
import { fieldsModal } from '../../bot/channels/slack/cards/modals.ts';
import { reviewModal } from '../../bot/channels/slack/cards/reviewModal.ts';
import { registerQuestionKind, viewQuestion } from '../../bot/engine/questions/kinds/index.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { checkBlocks } from '../fakes/slack/methods.ts';

registerQuestionKind(hazardReview);

/** All of the company's own words start with this; our own titles do not. */
const COMPANY_WORD = 'SECRET';
const own = (what: string) => `${COMPANY_WORD}-${what}`;

const values = {
  name: own('name'),
  description: own('description'),
  cause: own('cause'),
  clinicalImpact: own('impact'),
  controlDesign: own('design'),
  controlTest: own('test'),
  controlTraining: own('training'),
  controlBusiness: own('business'),
};
const candidate = (kbId: string) => ({ kbId, title: `Title of ${kbId}`, category: 'Medication', score: 1, values });
const question = (more: object): Interrupt => {
  const asked = {
    id: 7,
    agentName: 'Clara',
    interruptType: 'hazard_review',
    status: 'pending',
    prompt: own('prompt'),
    options: [],
    context: {
      description: own('context'),
      rows: [
        {
          id: 'p1',
          proposedId: 'QM-26',
          kbId: 'MED-01',
          category: 'Medication',
          candidates: [candidate('MED-01'), candidate('MED-02')],
          sure: false,
          values,
          suggested: { severity: 'Major', likelihood: 'Low', risk: 3 },
          evidence: [{ ticketKey: 'RX-1', summary: own('summary'), quote: own('quote') }],
          status: 'Proposed – CSO review',
          rejectedBefore: { by: 'Ada', at: '2026-11-01T10:00:00.000Z', reason: own('reason') },
        },
      ],
    },
    resolution: null,
    draft: { rows: [], version: 0, savedAt: null, savedBy: null },
    ...more,
  } as unknown as Interrupt;
  return { ...asked, view: viewQuestion(asked, 'full') };
};

const answered = { status: 'resolved', resolution: { text: 'Answered by Ada in Slack, 10:00' } };
/** Everything of a question that is drawn in Slack, with each outcome of a row chosen. */
const SHOWN: [what: string, it: Interrupt][] = [
  ['a review', question({})],
  ['a decision', question({ interruptType: 'decision', options: [own('first'), own('second')] })],
  [
    'an answered decision',
    question({
      interruptType: 'decision',
      options: [own('first')],
      userResponse: { selectedOption: own('first') },
      ...answered,
    }),
  ],
  ['an answered input', question({ interruptType: 'input', userResponse: { userInput: own('said') }, ...answered })],
  ['an approval', question({ interruptType: 'approval' })],
];
const drawn = (it: Interrupt, mode: 'reference-only' | 'redacted' | 'full') =>
  JSON.stringify([
    questionPost(it, mode),
    closedPost(it, mode),
    ...it.view.actions.map(({ id }) => fieldsModal(it, mode, id, false)),
    ...(['accepted', 'edited', 'rejected'] as const).map((outcome) =>
      reviewModal(it, mode, { page: 0, home: false, outcome }),
    ),
  ]);

describe.each(SHOWN)('%s', (_what, it) => {
  test.each(['reference-only', 'redacted'] as const)('under %s contains no words of the company', (mode) => {
    expect(drawn(it, mode)).not.toContain(COMPANY_WORD);
  });

  test('under full does', () => {
    expect(drawn(it, 'full')).toContain(COMPANY_WORD);
  });
});

test('a question with very many options has as many buttons as Slack allows, and says where the rest are', () => {
  const many = question({ interruptType: 'decision', options: Array.from({ length: 130 }, (_, at) => `Way ${at}`) });
  const { blocks, text } = questionPost(many, 'full');
  expect(checkBlocks({ blocks, text })).toBeNull();
  const actions = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  expect(actions.map((element) => ('action_id' in element ? element.action_id : ''))).toEqual(
    Array.from({ length: 100 }, (_, at) => `answer:option:${at}`),
  );
  expect(JSON.stringify(blocks)).toContain('30 further options in Arc');
  const home = homeView(
    Array.from({ length: 20 }, () => ({ ...many, createdAt: '2026-11-01T10:00:00.000Z' })),
    'full',
  );
  expect(home.blocks.length).toBeLessThanOrEqual(100);
  expect(JSON.stringify(home.blocks.at(-1))).toMatch(/and \d+ more in Arc/);
});

test('our own titles are sent under redacted, but not under reference-only', () => {
  expect(drawn(question({}), 'redacted')).toContain('Title of MED-02');
  expect(drawn(question({}), 'reference-only')).not.toContain('Title of');
});

test('the values of buttons and choices contain no words of the company either', () => {
  const post = questionPost(question({ interruptType: 'decision', options: [own('first')] }), 'redacted');
  expect(JSON.stringify(post)).toContain('Option 1');
});
