import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { normaliseRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { findLevel } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { PHASES as PHASE_POINT } from '../reading/columnChoices.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { readRisk } from '../reading/readHazards.ts';
import { levelsOf, lookUpLevel, lookUpRisk, positionOf, rankOfLevel } from '../reading/riskMatrix.ts';
import { isPlaceholder } from '../reading/saysNothing.ts';
import { underMatrix } from './assumption.ts';
import { mixedFormulaCells } from './formulas.ts';
import { capped, type Draft, groupHits, type Hit, headingPlace, type Rule } from './rule.ts';

const PHASES = ['initial', 'residual'] as const;
type Phase = (typeof PHASES)[number];

function unknownWords(log: ReadLog): (Hit & { found: string })[] {
  if (log.matrix.source === 'none') return [];
  const known = { severity: log.matrix.severities, likelihood: log.matrix.likelihoods };
  const hits: (Hit & { found: string })[] = [];
  for (const hazard of log.hazards)
    for (const row of hazard.rowNumbers)
      for (const phase of PHASES)
        for (const kind of ['severity', 'likelihood'] as const) {
          const column: CanonicalColumn = `${phase}_${kind}`;
          const word = log.text(row, column);
          if (word && !isPlaceholder(word) && positionOf(known[kind], word) < 0)
            hits.push({
              hazard,
              row,
              column,
              found: word,
              expected: known[kind].join(', '),
            });
        }
  return hits;
}

const unknownRatingWord: Rule = {
  name: 'unknown-rating-word',
  level: 'fix',
  clause: '4.4.1',
  find: (context) => {
    const byWord = new Map<string, Hit[]>();
    for (const hit of unknownWords(context.log)) {
      const key = `${hit.column} ${normaliseRatingWord(hit.found)}`;
      byWord.set(key, [...(byWord.get(key) ?? []), hit]);
    }
    return [...byWord.values()]
      .flatMap((hits) =>
        groupHits(context, hits, {
          one: (hazard, { found, column, expected }) => ({
            title: `${hazard.id}: “${found}” is not a word of the matrix`,
            message: `${label(column)} of ${hazard.id} is “${found}”. The matrix has ${expected}.`,
          }),
          many: (count, _all, ids, { found, column, expected }) => ({
            title: `“${found}” is not a word of the matrix, in ${count} hazards`,
            message: `${label(column)} is “${found}” in ${ids}. The matrix has ${expected}.`,
          }),
        }),
      )
      .map((draft) => underMatrix(context.log, draft));
  },
};

const label = (column: CanonicalColumn) => {
  const words = column.replace('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Differing = Hit & { found: string; expected: string; isLower: boolean };

/** What a row records and what the matrix gives for its ratings, where these differ: numbers, or words of a matrix in words. */
function differingAt(
  log: ReadLog,
  row: number,
  phase: Phase,
): Pick<Differing, 'found' | 'expected' | 'isLower'> | null {
  const rated = [log.text(row, `${phase}_severity`), log.text(row, `${phase}_likelihood`)] as const;
  const risk = readRisk(log, row, `${phase}_risk`);
  const matrix = lookUpRisk(log.matrix, ...rated);
  if (risk !== null && matrix !== null)
    return risk === matrix ? null : { found: String(risk), expected: String(matrix), isLower: risk < matrix };
  const words = levelsOf(log.matrix);
  const expected = lookUpLevel(log.matrix, ...rated);
  const found = risk === null && expected !== null ? findLevel(words, log.text(row, `${phase}_risk`)) : null;
  if (found === null || expected === null || found === expected) return null;
  return { found, expected, isLower: rankOfLevel(log.matrix, found) < rankOfLevel(log.matrix, expected) };
}

const differing = (log: ReadLog, hazard: LogHazard, phase: Phase): Differing[] =>
  hazard.rowNumbers.flatMap((row) => {
    const differs = differingAt(log, row, phase);
    return differs ? [{ hazard, row, column: `${phase}_risk` as const, ...differs }] : [];
  });

const riskDiffersFromMatrix: Rule = {
  name: 'risk-differs-from-matrix',
  level: 'fix',
  clause: '4.4.1',
  find: ({ log }) => {
    const drafts: Draft[] = [];
    const mixed = new Set(mixedFormulaCells(log).map(({ row }) => row));
    for (const phase of PHASES)
      for (const hazard of log.hazards) {
        const hits = differing(log, hazard, phase);
        const [hit] = hits;
        if (!hit) continue;
        const words = `${log.text(hit.row, `${phase}_severity`)} and ${log.text(hit.row, `${phase}_likelihood`)}`;
        const rated = hit.isLower
          ? 'It is rated lower than the matrix says.'
          : 'It is rated higher than the matrix says.';
        const because =
          phase === 'residual' && mixed.has(hit.row) ? ' The formula of the cell reads the initial severity.' : '';
        drafts.push(
          underMatrix(log, {
            title: `${hazard.id}: ${phase} risk is ${hit.found}, the matrix gives ${hit.expected}`,
            message: `${label(hit.column)} of ${hazard.id} is recorded as ${hit.found}; for ${words} the ${log.matrix.name} gives ${hit.expected}. ${rated}${because}`,
            hazardId: hazard.id,
            places: hits.map(({ row, column }) => log.place(row, column)),
            found: hit.found,
            expected: hit.expected,
            ...(phase === 'residual' ? { clause: '6.1.4' } : {}),
          }),
        );
      }
    return capped(drafts, 'more risks differ from the matrix');
  },
};

const FAULT_LIKELIHOOD =
  /\b(?:likelihood|probability|chance|likely|unlikely|rare(?:ly)?)\b[^.;\n]{0,40}\b(?:bug|fault|failure|defect|error|outage|crash|software fail|system fail|component|downtime)\b|\b(?:bug|fault|failure|defect|error|outage|crash)\b[^.;\n]{0,30}\b(?:is|are|was|considered|deemed)\b[^.;\n]{0,15}\b(?:unlikely|rare|likely|improbable|remote)\b/i;

const likelihoodOfFault: Rule = {
  name: 'likelihood-rates-the-fault',
  level: 'check',
  clause: '4.4.1',
  find: (context) => {
    const { log } = context;
    const columns = ['rationale', 'notes', 'initial_likelihood', 'residual_likelihood'] as const;
    const hits: Hit[] = [];
    for (const hazard of log.hazards)
      for (const row of hazard.rowNumbers)
        for (const column of columns) {
          const phrase = FAULT_LIKELIHOOD.exec(log.text(row, column))?.[0];
          if (phrase)
            hits.push({
              hazard,
              row,
              column,
              found: phrase,
              expected: 'the likelihood of the harm, with controls in place',
            });
        }
    return groupHits(context, hits, {
      one: (hazard, { found }) => ({
        title: `${hazard.id}: the likelihood may be that of the fault, not of the harm`,
        message: `The text says “${found}”. Likelihood is that of the harm to a patient, with controls considered, not of the fault alone.`,
      }),
      many: (count, _all, ids) => ({
        title: `The likelihood may be that of the fault, not of the harm, in ${count} hazards`,
        message: `Likelihood is that of the harm to a patient, with controls considered, not of the fault alone. See ${ids}.`,
      }),
    });
  },
};

const ratingsDiffer: Rule = {
  name: 'ratings-differ-between-rows',
  level: 'note',
  clause: '4.4.1',
  find: ({ log }) =>
    log.hazards.flatMap((hazard) =>
      PHASES.flatMap((phase) => {
        const rated = hazard.rowNumbers.filter(
          (row) => log.text(row, `${phase}_severity`) || log.text(row, `${phase}_likelihood`),
        );
        const pairs = new Set(
          rated.map(
            (row) =>
              `${normaliseRatingWord(log.text(row, `${phase}_severity`))}/${normaliseRatingWord(log.text(row, `${phase}_likelihood`))}`,
          ),
        );
        if (pairs.size < 2) return [];
        return [
          {
            title: `${hazard.id}: its rows give ${pairs.size} different ${phase} ratings`,
            message: `The rows of ${hazard.id} are rated ${[...pairs].join('; ')}. The worst one was taken for the hazard.`,
            hazardId: hazard.id,
            places: rated.map((row) => log.place(row, `${phase}_severity`)),
            found: [...pairs].join('; '),
            expected: null,
          },
        ];
      }),
    ),
};

const noMatrix: Rule = {
  name: 'matrix-unknown',
  level: 'check',
  clause: '3.2.1',
  find: ({ log }) =>
    log.matrix.source !== 'none'
      ? []
      : [
          {
            title: 'The risks can’t be checked: no matrix is known',
            message: `${log.matrix.name}. Add the matrix from your Clinical Risk Management Plan as a sheet.`,
            hazardId: null,
            places: [headingPlace(log)],
            found: null,
            expected: null,
          },
        ],
};

const phasesUnknown: Rule = {
  name: 'phases-unknown',
  level: 'check',
  clause: '6.1.4',
  find: ({ log }) =>
    log.doubts
      .filter(({ point }) => point === PHASE_POINT)
      .map(() => ({
        title: 'The ratings before and after controls can’t be told apart',
        message: 'Ratings before and after controls were neither compared nor judged.',
        hazardId: null,
        places: [headingPlace(log)],
        found: null,
        expected: 'headings that say “initial” and “residual”, or an answer to the question how the log is read',
      })),
};

const numericScale: Rule = {
  name: 'numeric-scale',
  level: 'note',
  clause: '3.2.1',
  find: ({ log }) =>
    log.matrix.source !== 'numeric'
      ? []
      : [
          {
            title: `The log ${log.matrix.basis === 'assumed' ? 'seems to multiply' : 'multiplies'} severity by likelihood (1–${Math.max(...log.matrix.cells.flat())})`,
            message:
              'That is not the NHS matrix, which is looked up and not multiplied. Risks were checked as the log means them; the NHS levels of acceptance were not applied.',
            hazardId: null,
            places: [headingPlace(log)],
            found: 'severity × likelihood',
            expected: 'the matrix of your Clinical Risk Management Plan',
          },
        ],
};

export const ratingRules: Rule[] = [
  riskDiffersFromMatrix,
  unknownRatingWord,
  likelihoodOfFault,
  ratingsDiffer,
  noMatrix,
  phasesUnknown,
  numericScale,
];
