import { describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { describeCoverage, describeResult } from '../../../../bot/agents/clinical_safety/answers/describe.ts';
import { describeKnowledge } from '../../../../bot/agents/clinical_safety/answers/hazardAnswers.ts';
import { answerByName, wordsOfNamed } from '../../../../bot/agents/clinical_safety/answers/resultAnswers.ts';
import { productMatrix } from '../../../../bot/agents/clinical_safety/reading/scale.ts';
import type { StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import {
  makeFinding,
  makeHazard,
  makePossible,
  makeProposal,
  makeResult,
  makeTicket,
} from '../../../factories/analysisResult.ts';

type Parts = Parameters<typeof makeResult>[0];
/** The lines of the answer, which is a fact from the result, or null. */
/** A proposal of a cause of this hazard. */
const asCause = (hazardId: string) =>
  makeProposal({
    proposedId: 'H10',
    proposedAs: `cause:${hazardId}`,
    additions: [
      {
        id: `cause:${hazardId}`,
        as: 'cause',
        hazardId,
        hazardName: 'Old',
        values: { name: `New cause of ${hazardId}: Old`, cause: 'Late' },
        says: null,
      },
    ],
  });
const ask = (parts: Parts, question: string) => {
  const { kind, text } = answerQuestion(makeResult(parts), question);
  return kind === 'fact' ? text.split('\n') : null;
};

test('an addition is not found by the id that it would only get as a hazard', () => {
  const result = makeResult({ newHazards: [makeProposal(), asCause('H1')] });
  expect(answerByName(result, 'H9')).toMatch(/^H9 is a proposal/);
  expect(answerByName(result, 'H10')).toBeNull();
  expect([wordsOfNamed(result, 'H9').size, wordsOfNamed(result, 'H10').size]).toEqual([1, 0]);
});

test.each([
  'What needs fixing?',
  'What do I have to fix?',
  'What should be fixed first?',
  'Which findings must be fixed?',
])('“%s” lists the findings to fix', (words) => {
  const findings = [makeFinding({ level: 'fix', title: 'A gap' }), makeFinding({ level: 'check', title: 'A doubt' })];
  expect(ask({ findings }, words)).toEqual(['1 to fix, 1 to check, 0 to note.', expect.stringContaining('A gap')]);
});

describe('findings that somebody accepted', () => {
  const findings = [
    makeFinding({ id: 'f1', level: 'fix', hazardId: 'H1', title: 'A gap' }),
    makeFinding({ id: 'f2', level: 'fix', hazardId: 'H1', title: 'A wrong risk' }),
    makeFinding({ id: 'f3', level: 'check', hazardId: null, title: 'A doubt' }),
    makeFinding({ id: 'f4', level: 'note', hazardId: null, title: 'A remark' }),
  ];
  const asked = (question: string, ...accepted: string[]) => {
    const standing: StandingResult = { ...makeResult({ findings }), accepted: new Set(accepted) };
    return answerQuestion(standing, question).text;
  };

  test('are no longer what needs fixing, and are counted apart', () => {
    const text = asked('What needs fixing?', 'f2');
    expect(text).toContain('1 to fix, 1 to check, 1 to note. 1 more is accepted with a reason.\n');
    expect(text).toContain('A gap');
    expect(text).not.toContain('A wrong risk');
    expect(asked('What needs fixing?', 'f1', 'f2', 'f3')).toBe(
      '0 to fix, 0 to check, 1 to note. 3 more are accepted with a reason.',
    );
  });

  test('are counted apart in the summary', () => {
    const text = asked('summary', 'f1', 'f3');
    expect(text).toContain(', 1 finding to fix, ');
    expect(text).toContain('1 finding to fix, 0 to check, 1 to note. 2 more are accepted with a reason.');
  });

  test('are named as such among the findings of their hazard', () => {
    expect(asked('H1', 'f2')).toContain('A gap (to fix)\n');
    expect(asked('H1', 'f2')).toContain('A wrong risk (to fix, accepted)');
  });

  test.each([
    ['how many findings are accepted', '1 finding of 4 has the state “accepted”'],
    ['which findings are open', '3 findings of 4 have the state “open”'],
    ['accepted findings', '1 finding of 4 has'],
    ['open findings to fix', '1 finding of 4 has the state “open” and the level “fix”'],
  ])('are asked for: %s', (question, count) => {
    const text = asked(question, 'f2');
    expect(text).toContain(count);
    expect(text).toContain('Of all 4 findings, 1 is accepted with a reason.');
  });

  test('are listed as such, and the answer says how to leave them out', () => {
    const text = asked('list the findings of H1', 'f2');
    expect(text).toContain('A wrong risk (to fix, accepted');
    expect(text).toContain('Ask for open findings to leave them out.');
    expect(asked('list the findings of H1')).not.toContain('accepted');
  });
});

describe('the answer about coverage', () => {
  const tickets = [
    makeTicket({ key: 'T-1', summary: 'One', coveredBy: 'link', hazardIds: ['H1', 'H2'] }),
    makeTicket({ key: 'T-2', summary: 'Two' }),
    makeTicket({ key: 'T-3', summary: 'Three', relevance: 'unsure' }),
    makeTicket({ key: 'T-4', summary: 'Four', relevance: 'not', coveredBy: 'person', hazardIds: ['H1'] }),
  ];
  const parts = (relevant: number) => ({
    tickets,
    coverage: { covered: 1, relevant, possible: 2, none: 3, unsure: 4 },
    coverageScore: 50,
  });
  const FIGURE =
    'Coverage 1 of 2 (50 per cent): named in the log or the ticket, or confirmed by a person. Not counted: 2 possible by what they are about, 3 with no hazard, and 4 unsure.';
  const WHY =
    'A ticket counts as covered if a hazard names it, if it names a hazard, or if a person confirmed it. A hazard that is only near to what the ticket is about is possible.';

  test('gives the reasons, and how many tickets are left', () => {
    expect(ask(parts(2), 'what is our coverage?')).toEqual([
      FIGURE,
      WHY,
      '1 relevant ticket is not covered; ask “which tickets are not covered”.',
    ]);
    expect(ask(parts(3), 'coverage')?.[2]).toBe(
      '2 relevant tickets are not covered; ask “which tickets are not covered”.',
    );
    expect(ask(parts(1), 'coverage')).toHaveLength(2);
    for (const words of ['What is my coverage?', 'How good is our coverage?', 'How well are my tickets covered?'])
      expect(ask(parts(2), words)?.[0]).toBe(FIGURE);
  });

  test.each([
    ['which tickets are covered', ['Covered:', '• T-1: One (H1, H2)']],
    ['which tickets are not covered', ['Not covered:', '• T-2: Two']],
    ['tickets that are uncovered', ['Not covered:', '• T-2: Two']],
    ['list uncovered tickets', ['Not covered:', '• T-2: Two']],
  ])('%s', (question, lines) => {
    expect(ask(parts(2), question)).toEqual([FIGURE, WHY, ...lines]);
    expect(ask({ ...parts(2), tickets: [] }, question)).toEqual([FIGURE, WHY]);
  });

  test('has no figure if no ticket is relevant', () => {
    expect(ask({}, 'coverage')?.[0]).toMatch(/^Coverage has no figure: none of the tickets is relevant to safety/);
  });

  test('of an earlier method says so', () => {
    const { coverage } = makeResult(parts(2)).analysisMetadata;
    expect(describeCoverage(coverage, 50)).toBe(FIGURE);
    expect(describeCoverage({ ...coverage, none: undefined }, 50)).toContain('0 with no hazard');
    expect(describeCoverage({ ...coverage, possible: 0 }, 50)).toContain('Not counted: 0 possible');
    expect(describeCoverage({ ...coverage, possible: undefined }, 50)).toMatch(
      /^Coverage 1 of 2 \(50 per cent\), by an earlier method/,
    );
  });
});

describe('the answer about the result', () => {
  const tickets = (relevance: 'unsure' | 'relevant', count: number) =>
    Array.from({ length: count }, (_, at) => makeTicket({ key: `T-${at + 1}`, summary: 'S', relevance }));
  test.each<[string, Parts, string[]]>([
    ['which tickets are unsure', { tickets: tickets('relevant', 1) }, ['No ticket is unsure.']],
    [
      'unsure tickets',
      { tickets: [...tickets('unsure', 1), ...tickets('relevant', 1)] },
      ['1 ticket may be relevant to safety and needs a person to decide:', '• T-1: S'],
    ],
    [
      'unsure tickets',
      { tickets: tickets('unsure', 2) },
      ['2 tickets may be relevant to safety and need a person to decide:', '• T-1: S', '• T-2: S'],
    ],
    [
      'proposed hazards',
      {},
      [
        'Nothing is proposed: every relevant ticket is covered, none fits a known kind of hazard well enough, or no tickets were given.',
      ],
    ],
    [
      'what do you propose',
      { newHazards: [makeProposal()] },
      ['1 new hazard is proposed for review:', '• H9: Proposed name (1 ticket)'],
    ],
    [
      'proposals',
      {
        newHazards: [
          makeProposal({ sure: false, evidence: [...makeProposal().evidence, ...makeProposal().evidence] }),
          makeProposal({ proposedId: 'H10' }),
        ],
      },
      [
        '2 new hazards are proposed for review:',
        '• H9: Proposed name (2 tickets; choose among the candidates)',
        '• H10: Proposed name (1 ticket)',
      ],
    ],
    [
      'proposals',
      { newHazards: [makeProposal(), asCause('H1')] },
      [
        '1 new hazard, 1 addition to an existing one are proposed for review:',
        '• H9: Proposed name (1 ticket)',
        '• New cause of H1: Old (1 ticket)',
      ],
    ],
    ['which version is it', {}, ['The log gives no version in its file name or on its sheets.']],
    [
      'versions',
      {
        log: {
          versions: [
            { source: 'file name', version: '1.2', place: null },
            { source: 'Cover', version: '1.3', place: { sheet: 'Cover', cell: 'B2' } },
          ],
        } as Partial<LogShape>,
      },
      ['Versions that the log gives:', '• file name: 1.2', '• Cover: 1.3 (cell B2)'],
    ],
    ['list all hazards', {}, ['The log has 1 hazard:', '• H1: Wrong dose']],
  ])('%s', (question, parts, lines) => {
    expect(ask(parts, question)).toEqual(lines);
  });

  test('on the matrix: its cells, and how they are used', () => {
    const lines = ask({}, 'explain the matrix');
    expect(lines?.slice(0, 3)).toEqual([
      'The risks are checked against: NHS 5x5 (DCB0129 4.2).',
      'Risk is looked up in the table, never multiplied. By likelihood:',
      '• Very high: Minor 3, Significant 4, Considerable 4, Major 5, Catastrophic 5',
    ]);
    expect(lines).toHaveLength(7);
    const numeric = ask({ log: { matrix: productMatrix(5) } }, 'matrix');
    expect(numeric?.slice(1, 3)).toEqual([
      'The log multiplies the two numbers itself; that is its own scale. By likelihood:',
      '• 5: 1 5, 2 10, 3 15, 4 20, 5 25',
    ]);
    const assumed = ask({ log: { matrix: { ...productMatrix(5), basis: 'assumed' } } }, 'matrix');
    expect(assumed?.[0]).toContain(' not the NHS matrix. This is assumed: the kind of ratings suggests it');
    const none = {
      source: 'none' as const,
      name: 'None: why',
      place: null,
      severities: [],
      likelihoods: [],
      cells: [],
    };
    expect(ask({ log: { matrix: none } }, 'matrix')).toEqual(['The risks are checked against: None: why.']);
  });

  const place = (cell: string) => ({ sheet: 'Log', cell });
  const findings = [
    makeFinding({ title: 'A' }),
    makeFinding({ title: 'B', level: 'check', places: [place('B2')] }),
    makeFinding({ title: 'C', level: 'note', places: [place('C2'), place('C3'), place('C4')] }),
    makeFinding({ title: 'D' }),
  ];
  const COUNTS = '2 to fix, 1 to check, 1 to note.';
  test.each([
    ['findings', ['• A (to fix)', '• B (to check; Log, B2)', '• C (to note; Log, C2 and 2 more)', '• D (to fix)']],
    ['findings to fix', ['• A (to fix)', '• D (to fix)']],
    ['findings to check', ['• B (to check; Log, B2)']],
    ['what should I fix first', ['• A (to fix)', '• D (to fix)']],
    ['what must we check', ['• B (to check; Log, B2)']],
    ['what is to check', ['• B (to check; Log, B2)']],
  ])('on findings: %s', (question, lines) => {
    expect(ask({ findings }, question)).toEqual([COUNTS, ...lines]);
  });
  test('on findings: having none is no verdict', () => {
    expect(ask({}, 'findings')).toEqual([
      'The rules found nothing to fix, check or note. That is not a verdict on safety; it only means that the log agrees with its own rules.',
    ]);
  });

  test('as a whole, figures first', () => {
    const parts = {
      findings,
      newHazards: [makeProposal()],
      tickets: [makeTicket()],
      coverage: { covered: 1, relevant: 2, possible: 0, none: 1, unsure: 3 },
      coverageScore: 50,
    };
    expect(ask(parts, 'summary')).toEqual([
      '1 hazard, 2 findings to fix, 1 of 2 relevant tickets covered (0 possible, 1 none, 3 unsure)',
      'Read 1 row of “Log” as 1 hazard.',
      '2 findings to fix, 1 to check, 1 to note.',
      '1 ticket analysed: 2 relevant to safety, 3 unsure.',
      describeCoverage(makeResult(parts).analysisMetadata.coverage, 50),
      '1 new hazard proposed for the Clinical Safety Officer to review.',
    ]);
    expect(ask({}, 'how many hazards are there')).toEqual([
      '1 hazard, 0 findings to fix, no tickets analysed',
      'Read 1 row of “Log” as 1 hazard.',
      '0 findings to fix, 0 to check, 0 to note.',
      '0 tickets analysed: 0 relevant to safety, 0 unsure.',
      'Coverage has no figure, because no tickets were analysed.',
      '0 new hazards proposed for the Clinical Safety Officer to review.',
    ]);
    expect(ask({ tickets: [makeTicket({ relevance: 'not' })] }, 'how many hazards are there')?.slice(0, 5)).toEqual([
      '1 hazard, 0 findings to fix, no relevant tickets',
      'Read 1 row of “Log” as 1 hazard.',
      '0 findings to fix, 0 to check, 0 to note.',
      '1 ticket analysed: 0 relevant to safety, 0 unsure.',
      'Coverage has no figure, because no ticket is relevant to safety.',
    ]);
    const last = (unproposed: number) => describeResult(makeResult({ coverage: { unproposed } })).lines.at(-1);
    expect(last(0)).toMatch(/^0 new hazards/);
    expect(last(1)).toBe(
      '1 relevant ticket is neither covered nor proposed: no known kind of hazard fits well enough; see the tickets list.',
    );
    expect(last(2)).toMatch(/^2 relevant tickets are neither/);
  });
});

describe('a search for words', () => {
  const hazards = [
    makeHazard({ id: 'H1', name: 'Allergies hidden', description: '', clinicalImpact: '', causes: [] }),
    makeHazard({ id: 'H2', name: 'x', description: 'An allergy to a drug', clinicalImpact: '', causes: [] }),
    makeHazard({ id: 'H3', name: 'x', description: '', clinicalImpact: 'Overdoses', causes: [] }),
    makeHazard({
      id: 'H4',
      name: 'x',
      description: '',
      clinicalImpact: '',
      causes: [{ id: null, text: 'The ward app', place: { sheet: 'Log', cell: 'E5' } }],
    }),
  ];
  const idsOf = (topic: string) => {
    const lines = ask({ hazards }, `which hazards are about ${topic}`);
    return lines ? lines.flatMap((line) => /^• (H\d)/.exec(line)?.[1] ?? []).join() : null;
  };
  test.each([
    ['allergies', 'H1,H2'],
    ['allergy', 'H2'],
    ['overdose', 'H3'],
    ['overdoses', 'H3'],
    ['app', 'H4'],
    ['ap', ''],
    ['war', ''],
    ['wards', 'H4'],
    ['drug allergies', 'H2'],
    ['allergies to any drug', 'H2'],
    ['allergy or overdose', null],
    ['allergy and overdose', null],
    ['allergies not drugs', null],
    ['any', null],
  ])('for “%s” finds %s', (topic, ids) => {
    expect(idsOf(topic)).toBe(ids);
  });

  test('says that it is a search', () => {
    const literal = 'This searches for words in names, descriptions, impacts and causes, not for their meaning.';
    expect(ask({ hazards }, 'which hazards are about wards')).toEqual([
      '1 hazard in the log mentions “wards”:',
      '• H4: x',
      literal,
    ]);
    expect(ask({ hazards }, 'which hazards mention allergies')?.[0]).toBe('2 hazards in the log mention “allergies”:');
    expect(ask({ hazards }, 'are there any hazards concerning the moon')).toEqual([
      `No hazard in the log mentions “moon” in these words. ${literal}`,
    ]);
  });
});

describe('an item named by its id', () => {
  const named = (parts: Parts, question: string) => answerByName(makeResult(parts), question)?.split('\n') ?? null;

  test('may be one hazard, or several', () => {
    const hazards = [makeHazard({ id: 'H1' }), makeHazard({ id: 'H2', name: 'Late' }), makeHazard({ id: 'H3' })];
    const lines = named({ hazards }, 'H1 and H2');
    expect(lines?.filter((line) => /^H\d/.test(line))).toEqual(['H1: Wrong dose', 'H2: Late']);
    expect(lines).toContain('');
    expect(named({ hazards }, 'H7')).toBeNull();
  });

  test('may be a proposal', () => {
    const newHazards = [makeProposal()];
    expect(named({ newHazards }, 'what is H9')).toEqual([
      'H9 is a proposal (Proposed – CSO review): Proposed name',
      'Proposed text',
      'Clinical impact: Proposed impact',
      'Evidence:',
      '• T-1: “wrong dose”',
    ]);
    const candidates = [
      { kbId: 'A-1', title: 'One', category: 'x', score: 1 },
      { kbId: 'B-2', title: 'Two', category: 'x', score: 1 },
    ];
    expect(named({ newHazards: [makeProposal({ sure: false, candidates })] }, 'H9')?.[3]).toBe(
      'Not sure; candidates: A-1 One; B-2 Two.',
    );
    // A hazard comes before a proposal with the same id.
    expect(named({ hazards: [makeHazard({ id: 'H9' })], newHazards }, 'H9')?.[0]).toBe('H9: Wrong dose');
  });

  const first = (id: string) => describeKnowledge(id)?.split('\n')[0];
  test.each<[string, Parameters<typeof makeTicket>[0], string[]]>([
    [
      'covered',
      { coveredBy: 'link', hazardIds: ['H1', 'H2'], quote: 'wrong dose', kbIds: ['MED-02', 'XXX-99'] },
      [
        'Judged relevant to safety.',
        'What decided it: “wrong dose”',
        'Covered by H1, H2 (link).',
        `Nearest kinds of hazard: ${first('MED-02')}; XXX-99.`,
      ],
    ],
    ['not covered', {}, ['Judged relevant to safety.', 'No hazard of the log covers it.']],
    [
      'possibly covered',
      { possibleHazardIds: ['H1', 'H2'], kbIds: ['MED-02'] },
      [
        'Judged relevant to safety.',
        'No hazard of the log covers it. Possible by what it is about, for a person to confirm: H1, H2.',
        `Nearest kinds of hazard: ${first('MED-02')}.`,
      ],
    ],
    [
      'possibly covered, with the words of both sides',
      { possibleHazardIds: ['H1'], possible: [makePossible()] },
      [
        'Judged relevant to safety.',
        'No hazard of the log covers it. Possible by what it is about, for a person to confirm: H1.',
        '• H1 says “The dose is lost” (Log!C5), the ticket “wrong dose”',
      ],
    ],
    [
      'unsure',
      { relevance: 'unsure', kbIds: ['MED-02'] },
      ['Judged possibly relevant to safety, for a person to decide.', `Nearest kinds of hazard: ${first('MED-02')}.`],
    ],
    ['not relevant', { relevance: 'not', kbIds: ['MED-02'] }, ['Judged not relevant to safety.']],
  ])('may be a ticket that is %s', (_what, more, lines) => {
    const tickets = [makeTicket({ key: 'T-7', summary: 'Another' }), makeTicket(more)];
    expect(named({ tickets }, 'what is T-1?')).toEqual(['T-1: Dose is wrong', ...lines]);
  });

  test('may be a ticket with words of its own', () => {
    const result = makeResult({
      hazards: [makeHazard({ id: 'H1' }), makeHazard({ id: 'Fire door' })],
      newHazards: [makeProposal()],
      tickets: [makeTicket()],
    });
    expect([...wordsOfNamed(result, 'is H1 like T-1 or H9')]).toEqual(['h1', 'h9', 't-1']);
    expect([...wordsOfNamed(result, 'hazard fire door')]).toEqual(['fire', 'door']);
    expect([...wordsOfNamed(result, 'nothing')]).toEqual([]);
  });
});
