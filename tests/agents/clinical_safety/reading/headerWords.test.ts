import { describe, expect, test } from '@jest/globals';
import { HEADER_SYNONYMS } from '../../../../bot/agents/clinical_safety/reading/headerSynonyms.ts';
import { groupPhase, normaliseHeader, splitPhase } from '../../../../bot/agents/clinical_safety/reading/headerWords.ts';
import { matchHeader } from '../../../../bot/agents/clinical_safety/reading/matchHeader.ts';
import { findTicketKeys } from '../../../../bot/agents/clinical_safety/reading/ticketKeys.ts';

describe('the words of headings', () => {
  const all = Object.entries(HEADER_SYNONYMS).flatMap(([meaning, words]) => words.map((word) => ({ meaning, word })));

  test('are in the form in which headings are compared, each with one meaning', () => {
    expect(all.map(({ word }) => word)).toEqual(all.map(({ word }) => normaliseHeader(word)));
    expect(new Set(all.map(({ word }) => word)).size).toBe(all.length);
  });

  test('are recognised under any group', () => {
    for (const { meaning, word } of all) {
      expect(matchHeader(word, null)).toEqual({ meaning, phase: null, score: 1 });
      expect(matchHeader(word.toUpperCase(), 'residual')).toEqual({ meaning, phase: 'residual', score: 1 });
    }
  });

  test.each([
    ['Hazard #', 'hazard number'],
    ['Hazard No.', 'hazard number'],
    ['Hazard no', 'hazard number'],
    ['# No.', 'number'],
    ['Notes', 'notes'],
    ['Hazard_ID', 'hazard id'],
    ['  Risk / Benefit:  ', 'risk benefit'],
    ['ＩＤ', 'id'],
    ['Größe', 'größe'],
    ['§ —', ''],
  ])('of “%s” are “%s”', (heading, words) => {
    expect(normaliseHeader(heading)).toBe(words);
  });
});

describe('a phase in a heading', () => {
  const BEFORE = 'initial,inherent,unmitigated,pre,before,i,original,raw,start'.split(',');
  const AFTER = 'residual,final,mitigated,post,after,r,target,revised,remaining'.split(',');
  const words = [
    ...BEFORE.map((word) => [word, 'initial'] as const),
    ...AFTER.map((word) => [word, 'residual'] as const),
    ...['pre', 'before'].flatMap((word) =>
      ['control', 'controls', 'mitigation'].map((what) => [`${word} ${what}`, 'initial'] as const),
    ),
    ...['post', 'after'].flatMap((word) =>
      ['control', 'controls', 'mitigation'].map((what) => [`${word} ${what}`, 'residual'] as const),
    ),
  ];
  test.each(words)('as “%s” at its start is %s', (word, phase) => {
    expect(splitPhase(`${word} severity`)).toEqual({ phase, rest: 'severity' });
    expect(splitPhase(word)).toEqual({ phase: null, rest: word });
    expect(groupPhase(word)).toBe(word.length > 1 ? phase : null);
  });

  test.each([
    ['initial risk severity', 'initial', 'severity'],
    ['residual hazard likelihood', 'residual', 'likelihood'],
    ['residual rating consequence', 'residual', 'consequence'],
    ['initial risk probability', 'initial', 'probability'],
    ['initial hazard risk', 'initial', 'risk'],
    ['residual risk', 'residual', 'risk'],
    ['residual risk owner', 'residual', 'risk owner'],
    ['severity 1', 'initial', 'severity'],
    ['severity 2', 'residual', 'severity'],
    ['s1', 'initial', 's'],
    ['rpn2', 'residual', 'rpn'],
    ['severity 3', null, 'severity 3'],
    ['p1', null, 'p1'],
    ['p 2', null, 'p 2'],
    ['severity before', 'initial', 'severity'],
    ['severity after', 'residual', 'severity'],
    ['severity pre', 'initial', 'severity'],
    ['severity post', 'residual', 'severity'],
    ['severity initial', 'initial', 'severity'],
    ['severity residual', 'residual', 'severity'],
    ['severity before controls', 'initial', 'severity'],
    ['severity post mitigation', 'residual', 'severity'],
    ['severity after control', 'residual', 'severity'],
    ['severity before all controls', null, 'severity before all controls'],
    ['severity', null, 'severity'],
    ['initially severe', null, 'initially severe'],
    ['reviewed', null, 'reviewed'],
  ])('of “%s” is %s, and the rest “%s”', (heading, phase, rest) => {
    expect(splitPhase(heading)).toEqual({ phase, rest });
  });

  test.each([
    ['Initial Risk Rating', 'initial'],
    ['RESIDUAL:', 'residual'],
    ['Risk before controls', null],
    ['I', null],
    ['R', null],
    ['I.', null],
    ['Risk', null],
    ['', null],
  ])('above several is decided by the first word: “%s” is %s', (heading, phase) => {
    expect(groupPhase(heading)).toBe(phase);
  });
});

describe('the meaning of a heading', () => {
  test.each([
    // Its own phase takes precedence over that of its group.
    ['Residual severity', 'initial', 'severity', 'residual', 1],
    ['Severity', 'residual', 'severity', 'residual', 1],
    // "Residual risk rationale" is known as a whole, so it has no phase of its own.
    ['Residual risk rationale', null, 'rationale', null, 1],
    ['Residual risk rationale', 'initial', 'rationale', 'initial', 1],
    // The rest without the phase is known, too, so it counts.
    ['Initial likelihod', null, 'likelihood', 'initial', 0.8],
    ['Initial issue key', 'residual', 'id', 'initial', 0.7],
    ['Initial colour', 'residual', null, null, 0],
    ['Summary', 'residual', 'name', 'residual', 0.7],
    ['Key', null, 'id', null, 0.7],
    ['Severity (1-5)', null, 'severity', null, 0.6],
    ['Severity 1', null, 'severity', 'initial', 1],
    ['Owner again here', null, 'owner', null, 0.6],
    ['Owner again here too', null, null, null, 0],
    ['Cause 12 34', null, 'cause', null, 0.6],
    ['Cause 12 34 56 78', null, 'cause', null, 0.6],
    ['Risk owner of this very long list', null, 'owner', null, 0.6],
    // Of two equally near words, the longer one counts.
    ['Hazard nam', null, 'name', null, 0.8],
    ['Consequencs', null, 'clinical_impact', null, 0.8],
    ['Name of it', null, null, null, 0],
    ['Names', null, null, null, 0],
    ['Titles', null, 'name', null, 0.8],
    ['Titl', null, null, null, 0],
    ['Kauses', null, 'cause', null, 0.8],
    ['Existing kontvols', null, 'existing_controls', null, 0.7],
    // Cut short, or broken by a hyphen, it counts less than a whole heading.
    ['Likel.', 'residual', 'likelihood', 'residual', 0.8],
    ['Poss. cause', null, 'cause', null, 0.8],
    ['Haz owner', null, 'owner', null, 0.8],
    ['Harm to pt', null, 'clinical_impact', null, 0.8],
    ['Gefährdungs-situation', null, 'description', null, 0.8],
    ['Pt list', null, null, null, 0],
    ['Control – process', null, 'control_text', null, 0.8],
    ['Control: staff', null, 'control_text', null, 0.8],
    ['Control effectiveness', null, 'control_text', null, 0.6],
  ] as const)('for “%s” under %s is %s, %s', (heading, group, meaning, phase, score) => {
    const match = matchHeader(heading, group);
    expect(match === null ? null : { ...match, score: Number(match.score.toFixed(6)) }).toEqual(
      meaning === null ? null : { meaning, phase, score },
    );
  });

  test('is unknown beyond 120 characters, and beyond 60 for words alone', () => {
    const padded = (length: number) => matchHeader(`Owner${' '.repeat(length - 5)}`, null)?.meaning ?? null;
    expect([padded(120), padded(121)]).toEqual(['owner', null]);
    const long = (length: number) => matchHeader(`Hazard short name ${'x'.repeat(length - 18)}`, null)?.meaning ?? null;
    expect([long(57), long(58)]).toEqual(['name', null]);
    const synonym = 'additional business process controls';
    expect(matchHeader(`${synonym} ${'x'.repeat(60 - 37)}`, null)?.meaning).toBe('control_business');
    expect(matchHeader(`${synonym} ${'x'.repeat(61 - 37)}`, null)).toBeNull();
  });
});

describe('ticket keys in a text', () => {
  test.each<[string, string[]]>([
    ['See EPS-142 and EPS-7, EPS-142 again', ['EPS-142', 'EPS-7']],
    ['ABC_1-5 A2-3', ['ABC_1-5', 'A2-3']],
    ['ABCDEFGHIJ-1', ['ABCDEFGHIJ-1']],
    ['ABCDEFGHIJK-1', []],
    ['EPS-123456', ['EPS-123456']],
    ['EPS-1234567', []],
    ['xEPS-1 EPS-1x eps-1 1EPS-1', []],
    ['EPS 142', []],
    ['DCB-0129 ISO-14971 COVID-19 UTF-8 SHA-256 ICD-10 FHIR-4 NHS-1', []],
    ['ISOX-1', ['ISOX-1']],
    ['XISO-1', ['XISO-1']],
    ['B-12', []],
    ['', []],
  ])('“%s”: %j', (text, keys) => {
    expect(findTicketKeys(text)).toEqual(keys);
  });
});
