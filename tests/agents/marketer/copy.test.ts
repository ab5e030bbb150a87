import { describe, expect, test } from '@jest/globals';
import { readBrief } from '../../../bot/agents/marketer/brief/readBrief.ts';
import { readSentences } from '../../../bot/agents/marketer/brief/sentences.ts';
import { checkClaims, kindOf } from '../../../bot/agents/marketer/claims/checkClaims.ts';
import { figuresOf, hasBasis } from '../../../bot/agents/marketer/claims/evidence.ts';
import { KINDS } from '../../../bot/agents/marketer/claims/kinds.ts';
import { planTest } from '../../../bot/agents/marketer/copy/abPlan.ts';
import { checkCopy } from '../../../bot/agents/marketer/copy/checkCopy.ts';
import { composeCopy, isGap } from '../../../bot/agents/marketer/copy/composeCopy.ts';
import { readIntent } from '../../../bot/agents/marketer/intents.ts';
import { work } from '../../../bot/agents/marketer/thread/work.ts';
import { textOf } from '../../../bot/engine/documents/documentText.ts';

const made = (text: string, request = '', evidence = '') => {
  const given = [{ name: 'Brief.md', text }, ...(evidence ? [{ name: 'Evidence.md', text: evidence }] : [])];
  const brief = readBrief(request, given);
  const checked = checkClaims(brief);
  return { brief, checked, copy: composeCopy(brief, checked) };
};
const flaggedIn = (text: string, request = '', evidence = '') =>
  made(text, request, evidence).checked.flagged.map(({ text: claim, kind }) => `${claim} ${kind}`);

describe('the kind of a claim', () => {
  test.each([
    ['It treats asthma.', 'medical effect'],
    ['It reduces the risk of falls.', 'medical effect'],
    ['It improves the outcomes of care.', 'medical effect'],
    ['It is clinically proven.', 'clinical proof'],
    ['It is proven to work.', 'clinical proof'],
    ['It is UKCA marked.', 'approval'],
    ['It is NHS-approved.', 'approval'],
    ['It complies with DTAC.', 'approval'],
    ['It is a Class I medical device.', 'approval'],
    ['It is safe.', 'safety'],
    ['It raises safety.', 'safety'],
    ['It works without side effects.', 'safety'],
    ['It is for safety officers.', null],
    ['It always works.', 'absolute'],
    ['It is correct in 100% of cases.', 'absolute'],
    ['It is easier.', 'comparison'],
    ['It is shorter than a letter.', 'comparison'],
    ['It shows the first dose.', null],
    ['It shows the longest list.', null],
    ['It cuts costs by 5%.', 'figure'],
    ['It halves the queue.', 'figure'],
    ['300 practices trust it; it is trusted by 300 practices.', 'figure'],
    ['It keeps 300 letters.', null],
    ['It saves paper.', 'effect'],
    ['It will print.', 'planned'],
    ['It shall print.', 'planned'],
    ['It plans to print.', 'planned'],
    ['Printing is planned.', 'planned'],
    ['Printing comes soon.', 'planned'],
    ['Printing is on the road map.', 'planned'],
    ['Printing is on the roadmap.', 'planned'],
    ['Printing is in development.', 'planned'],
    ['The upcoming version prints.', 'planned'],
    ['It does not yet print.', 'planned'],
    ['It is going to print.', 'planned'],
    ['Write that it is good.', 'instruction'],
    ['“Good,” said Jo Lind.', 'testimonial'],
    ['It prints a letter.', null],
  ])('of “%s” is %s', (text, kind) => {
    expect(kindOf(text)?.id ?? null).toBe(kind);
  });

  test('is never medical without a rule that names its edition', () => {
    const medical = KINDS.filter(({ isMedical }) => isMedical);
    expect(medical.map(({ id }) => id)).toEqual(['clinical proof', 'approval', 'medical effect', 'safety']);
    for (const { needs, rule } of medical) {
      expect(needs).toBe('never');
      expect(rule).toMatch(/edition 12|2017\/745/);
    }
  });
});

describe('evidence', () => {
  test.each([
    ['12 minutes', ['12 minut']],
    ['1,200 users and 3.5%', ['1200 user', '3.5 %']],
    ['45 per cent', ['45 %']],
    ['two wards', ['2 ward']],
    ['it doubles', ['×2']],
  ])('of “%s” has the figures %j', (text, figures) => {
    expect(figuresOf(text)).toEqual(figures);
  });

  test.each([
    ['In a survey of 88 managers, 35% agreed.', true],
    ['A survey found that managers agree.', false],
    ['A survey of 88 managers is planned.', false],
    ['We have no study of 88 managers.', false],
    ['88 managers agreed.', false],
  ])('needs a way of finding out that was done, with a number: “%s” is %s', (text, is) => {
    expect(hasBasis(text)).toBe(is);
  });

  const CLAIM = 'Product: Rota\n\nRota cuts planning time by 45%.';
  test.each([
    ['In an audit of 30 weeks in 2025, planning time with Rota fell by 45%.', []],
    ['In an audit of 30 weeks in 2025, planning time with Rota fell by 44%.', ['figure']],
    ['In an audit of 30 weeks in 2025, planning time with Rota fell by 45 hours.', ['figure']],
    ['In an audit of 30 weeks in 2025, planning time with Rota rose by 45%.', ['figure']],
    ['In an audit of 30 weeks in 2025, planning time with Boards fell by 45%.', ['figure']],
    ['In an audit of 30 weeks in 2025, sickness with Rota fell by 45%.', ['figure']],
    ['Planning time with Rota fell by 45%.', ['figure']],
  ])('bears “cuts planning time by 45%%” or does not: %s', (evidence, kinds) => {
    expect(made(CLAIM, '', evidence).checked.flagged.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('is quoted with its place', () => {
    const { checked } = made(CLAIM, '', 'In an audit of 30 weeks in 2025, planning time with Rota fell by 45%.');
    expect(checked.written[0]).toMatchObject({
      text: 'Rota cuts planning time by 45%.',
      place: 'Brief.md, line 3',
      evidence: { place: 'Evidence.md, line 1' },
    });
  });

  test('for a claim of the request is a sentence of a document that says the same, and denies nothing', () => {
    const ask = (claim: string) => flaggedIn('Product: Rota\n\nRota does not work offline. Rota prints a list.', claim);
    expect(ask('Claim: Rota prints a list.')).toEqual([]);
    expect(ask('Claim: Rota works offline.')).toEqual(['Rota works offline. no source']);
    expect(ask('Claim: Rota is safe.')).toEqual(['Rota is safe. safety']);
  });
});

describe('the copy', () => {
  const TEXT =
    'Product: Rota\nAudience: practice managers\nProblem: Rotas are typed twice.\nCall to action: Ask for a trial\n\nRota is a rota planner for managers. Rota sends a message to free staff. Rota prints a list.';

  test('has only words that were given, and says what was not', () => {
    const { copy } = made(TEXT);
    expect(copy.positioning.map(({ label, piece }) => [label, isGap(piece) ? null : piece.text])).toEqual([
      ['Product', 'Rota'],
      ['For', 'practice managers'],
      ['Problem', 'Rotas are typed twice.'],
      ['What it is', 'Rota is a rota planner for managers.'],
      ['First benefit', 'Rota sends a message to free staff.'],
      ['Unlike', null],
    ]);
    expect(copy.headlines).toMatchObject({
      a: { text: 'Rota sends a message to free staff.', place: 'Brief.md, line 6' },
      b: { text: 'Rotas are typed twice.' },
      isTestable: true,
    });
  });

  test('puts a claim with evidence first, and says where its figures come from', () => {
    const { copy } = made(`${TEXT} In a survey of 88 managers in 2025, 84% said that Rota saves time.`);
    const survey = 'In a survey of 88 managers in 2025, 84% said that Rota saves time.';
    expect(copy.headlines.a).toMatchObject({ text: survey });
    const page = copy.texts.find(({ title }) => title === 'Page')?.parts ?? [];
    expect(page.find(({ label }) => label === 'Where the figures come from')?.pieces).toMatchObject([{ text: survey }]);
  });

  test('leaves a post within 280 characters by whole sentences', () => {
    const long = `Rota ${'prints lists and '.repeat(20)}more.`;
    const postOf = (text: string) => made(text).copy.texts[0]?.parts[0]?.pieces ?? [];
    const texts = postOf(`${TEXT}`).flatMap((piece) => (isGap(piece) ? [] : [piece.text]));
    expect(texts).toEqual([
      'Rota sends a message to free staff.',
      'Rota is a rota planner for managers.',
      'Ask for a trial',
    ]);
    const short = postOf(`Product: Rota\n\n${long}\nRota prints.`).flatMap((piece) =>
      isGap(piece) ? [] : [piece.text],
    );
    expect(short.join(' ').length).toBeLessThanOrEqual(280);
    expect(short).not.toContain(long);
  });

  test('flags a field that makes a claim, and leaves a gap', () => {
    const { copy, checked } = made('Product: Rota\nCall to action: Try the safest rota\n\nRota prints a list.');
    expect(checked.flagged).toMatchObject([{ text: 'Try the safest rota', kind: 'safety', isMedical: true }]);
    const parts = copy.texts.flatMap(({ parts: all }) => all).filter(({ label }) => label === 'Call to action');
    for (const { pieces } of parts) expect(pieces.every(isGap)).toBe(true);
  });

  test('is checked before it is kept: a word, a figure or a flagged claim that slipped in is found', () => {
    const { brief, checked, copy } = made(`${TEXT} Rota is safe.`);
    const check = (text: string) =>
      checkCopy(
        { ...copy, headlines: { ...copy.headlines, a: { text, place: '' } } },
        brief,
        checked,
        `${TEXT} Rota is safe.`,
      );
    expect(check('Rota prints a list.')).toEqual([]);
    expect(check('Rota prints a poster.')).toEqual(['“Rota prints a poster.” is in no document.']);
    expect(check('Rota prints 9 lists.')).toContain('The figure “9 list” is in no document.');
    expect(check('Rota is safe.')).toEqual([
      '“Rota is safe.” was flagged.',
      '“Rota is safe.” is a claim without evidence.',
    ]);
  });

  test('plans a test by the usual formula, and only from shares that leave room', () => {
    expect(planTest(0.04, 0.01).visitors).toBe(6743);
    expect(planTest(0.1, 0.05).visitors).toBe(683);
    expect(planTest(null, 0.01).visitors).toBeNull();
    expect(planTest(0.04, null).visitors).toBeNull();
    expect(planTest(0.99, 0.01).visitors).toBeNull();
    expect(made('Product: Rota\nBaseline: 4%\nSmallest difference: 1 point\n\nRota prints.').copy.plan).toMatchObject({
      baseline: 0.04,
      difference: 0.01,
    });
  });
});

test('headings, fields and rules are no sentences; a short form ends none', () => {
  const text = '# Title\n\nProduct: Rota\n---\n- It prints, e.g. Lists. It sends.\n\n**Features**\nIt works.';
  expect(
    readSentences({ name: 'a', text }).map(({ text: words, heading, isItem }) => [words, heading, isItem]),
  ).toEqual([
    ['It prints, e.g. Lists.', 'Title', true],
    ['It sends.', 'Title', true],
    ['It works.', 'Features', false],
  ]);
});

describe('the files', () => {
  const documents = [
    { name: 'Brief.md', bytes: Buffer.from('Product: Rota\n\nRota prints a list. Rota is safe.') },
    { name: 'Plan.pdf', bytes: Buffer.from('%PDF') },
  ];
  const run = (approval: { by: string; day: string } | null) =>
    work({ documents, request: '', answers: { audience: 'managers' }, day: '5 Jun 2026', approval }, () => undefined);

  test('say that they are a draft, or who approved them, and which documents were not read', async () => {
    const draft = await run(null);
    expect(draft).toMatchObject({ product: 'Rota', audience: 'managers', unread: ['Plan.pdf'] });
    expect(draft?.written?.copy).toContain('Draft of 5 Jun 2026, not approved.');
    expect(draft?.written?.text).toContain('Not read: Plan.pdf.');
    const final = await run({ by: 'Ada Okafor', day: '6 Jun 2026' });
    expect(final?.written?.copy).toContain('Final, approved by Ada Okafor, 6 Jun 2026.');
    const read = (await textOf('a.docx', final?.written?.document ?? new Uint8Array())) ?? '';
    expect(read).toContain('Final, approved by Ada Okafor, 6 Jun 2026');
    expect(read).toMatch(/“Rota is safe\.”\tBrief\.md, line 3\tsafety \(medical\)\t.+Article 7\(c\)/);
    expect(final?.written?.counts).toMatchObject({ written: 1, flagged: 1, medical: 1 });
  });

  test('are not written where the source can’t be read', async () => {
    const [, pdf] = documents;
    expect(
      await work({ documents: pdf ? [pdf] : [], request: '', answers: {}, day: null, approval: null }, () => undefined),
    ).toBeNull();
  });
});

test.each([
  ['Write copy from Dosewell brief.docx', 'campaign'],
  ['Mina, please draft a press release', 'campaign'],
  ['Plan an A/B test', 'campaign'],
  ['Which copy have you written?', 'campaigns'],
  ['Don’t write copy for it', null],
  ['Copy the file', null],
  ['Make a copy', null],
  ['Make a copy for Jo', null],
  ['Create a copy of the log', null],
  ['Draft copy about Rota', 'campaign'],
  ['Write an SOP\nWrite copy from it', null],
])('“%s” asks for %s', (text, intent) => {
  expect(readIntent(text)).toBe(intent);
});
