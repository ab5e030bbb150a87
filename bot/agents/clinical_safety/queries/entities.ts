import { isAccepted, type StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type {
  AnalysisResult,
  ExistingHazard,
  Finding,
  TicketVerdict,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { onFirstUse } from '../../../../models/onFirstUse.ts';
import { type Askable, askable } from '../../../engine/queries/answerQuery.ts';
import type { Entity, Field, Nouns } from '../../../engine/queries/entity.ts';
import { flagField } from '../../../engine/queries/flagField.ts';
import { namedField } from '../../../engine/queries/namedField.ts';
import { phrases } from '../../../engine/queries/phrases.ts';
import { counted } from '../counted.ts';
import { CAUSES, CONTROLS, causes, controls } from './controls.ts';
import { hazardFields } from './hazardFields.ts';
import { OF_HAZARD } from './ofHazard.ts';
import { PROPOSALS, proposals } from './proposals.ts';
import { type Kinds, ofHazard, ofHazardRow, ofMatch, ofProposal, ofTicket } from './relations.ts';

const HAZARDS: Nouns = {
  one: 'hazard',
  many: 'hazards',
  names: phrases('everything, anything, entries, whatever, rows'),
};

const hazards = (result: AnalysisResult): Entity<ExistingHazard> => ({
  id: 'hazards',
  ...HAZARDS,
  rows: result.existingHazards,
  fields: [...hazardFields(result), namedField({ id: 'id', names: [], noun: 'id' }, ({ id }: ExistingHazard) => id)],
  // Two hazards may have one id; the table tells them apart by their first row.
  keyOf: ({ id, rows }) => `${id} ${rows.first}`,
  outside: ({ name }) => [name],
  line: ({ id, name }) => `${id}: ${name}`,
});

const FINDINGS: Nouns = {
  one: 'finding',
  many: 'findings',
  names: phrases(
    'issue, issues, problem, problems, error, errors, fault, faults, mistake, mistakes, defect, defects, warning, warnings, gaps, inconsistencies',
  ),
};

/** Says that accepted findings are among the rows; null where there is none. */
function remarkOnAccepted({ findings, accepted }: StandingResult): string | null {
  const count = accepted?.size ?? 0;
  const leaveOut = 'Ask for open findings to leave them out.';
  return count > 0
    ? `Of all ${counted(findings.length, 'finding')}, ${counted(count, 'is', 'are')} accepted with a reason. ${leaveOut}`
    : null;
}

const findings = (result: StandingResult): Entity<Finding> => ({
  id: 'findings',
  ...FINDINGS,
  keyOf: ({ id }) => id,
  rows: result.findings,
  remark: remarkOnAccepted(result),
  fields: [
    {
      id: 'level',
      kind: 'choice',
      names: phrases('level, levels, grade, grades, urgency, priority'),
      noun: 'level',
      has: 'a level',
      lacks: 'no level',
      before: phrases('to, level, to be, must we, must i, should we, should i, do we have to, we must'),
      isNamed: true,
      usual: ['fix', 'check', 'note'],
      read: ({ level }) => level,
    },
    {
      id: 'state',
      kind: 'choice',
      names: phrases('state, states, status, statuses'),
      noun: 'state',
      has: 'a state',
      lacks: 'no state',
      usual: ['open', 'accepted'],
      read: ({ id }) => (isAccepted(result, { id }) ? 'accepted' : 'open'),
    },
    namedField(
      { id: 'hazard', names: ['hazard', 'hazards'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
    namedField(
      {
        id: 'rule',
        names: phrases('rule, rules, kind, kinds, type, types, check, category'),
        noun: 'rule',
        before: ['of rule'],
      },
      ({ rule }) => rule,
    ),
    namedField(
      {
        id: 'clause',
        names: phrases(
          'clause, clauses, cite clause, cites clause, clause cited, clause number, clause reference, reference to clause',
        ),
        noun: 'clause',
        before: [
          ...phrases(
            'under clause, under, cite, cites, citing, against clause, against, of clause, for clause, on clause',
          ),
          ...phrases(
            'about clause, to do with clause, linked to clause, linked to, from clause, per clause, that cite clause',
          ),
          ...phrases('cite clause, cites clause, referring to, refer to, quoting, quoting clause, mentioning clause'),
        ],
      },
      ({ clause }) => clause,
    ),
  ],
  line: ({ id, title, level, places: [place] }) =>
    `${title} (to ${level}${isAccepted(result, { id }) ? ', accepted' : ''}${place ? `; ${place.sheet}, ${place.cell}` : ''})`,
});

/** People ask for it, and no result has it. */
const STATUS_OF_TICKET: Field<TicketVerdict> = {
  ...{ id: 'status', kind: 'choice', names: ['status', 'state'], noun: 'status', has: 'a status', lacks: 'no status' },
  usual: phrases('open, closed, resolved, done, in progress'),
  read: () => null,
  refused: 'an analysis keeps no status of tickets. Look in your tracker.',
};

const TICKETS: Nouns = {
  one: 'ticket',
  many: 'tickets',
  names: ['bug', 'bugs', 'backlog items', 'tickets of export'],
};

const tickets = ({ tickets }: AnalysisResult): Entity<TicketVerdict> => ({
  id: 'tickets',
  ...TICKETS,
  measure: 'score',
  keyOf: ({ key }) => key,
  rows: tickets,
  fields: [
    namedField({ id: 'id', names: [], noun: 'id' }, ({ key }) => key),
    STATUS_OF_TICKET,
    {
      ...flagField(
        'relevant',
        ({ relevance }) => (relevance === 'unsure' ? null : relevance === 'relevant'),
        {
          words: [
            ...['relevant', 'relevant to safety', 'safety relevant', 'relevant for safety'],
            ...phrases(
              'matter for safety, matters for safety, matter to safety, about safety, safety related, safety-related, safety-relevant, clinically relevant, to do with safety, of relevance, relevant to patient safety, relevant to clinical safety, concern safety, concerning safety, affect safety, relevant for clinical safety, bear on safety, safety ones',
            ),
          ],
          says: { verb: 'are', rest: 'relevant to safety' },
        },
        {
          words: phrases(
            'irrelevant, of no relevance, nothing to do with safety, have nothing to do with safety, has nothing to do with safety, noise, unrelated to safety, harmless, unrelated, do not matter for safety, of no concern for safety, of no safety relevance',
          ),
          says: { verb: 'are', rest: 'not relevant to safety' },
        },
        'no clear relevance',
      ),
      names: ['relevance'],
      noun: 'relevance',
    },
    flagField(
      'unsure',
      ({ relevance }) => relevance === 'unsure',
      {
        words: phrases(
          'unsure, uncertain, undecided, borderline, unclear, maybe relevant, possibly relevant, perhaps relevant, for person to decide, doubtful, ambiguous, could be relevant, may be relevant, might be relevant, to be decided, not clear, in doubt, unsure about, you are unsure about, you are unsure of, you are not sure about, not sure about, are not sure about',
        ),
        says: { verb: 'are', rest: 'unsure' },
      },
      { words: ['certain'], says: { verb: 'are', rest: 'not unsure' } },
      'no verdict',
    ),
    {
      ...flagField(
        'covered',
        // Only of a relevant ticket is it a question whether a hazard covers it.
        ({ relevance, coveredBy }) => (relevance === 'relevant' ? coveredBy !== null : null),
        {
          words: [
            ...['covered', 'covered by hazard', 'covered by any hazard', 'covered by hazards'],
            ...phrases(
              'covered by anything, covered by something, covered by log, matched to hazard, in log already, linked to hazard, tied to hazard, mapped to hazard, with hazard, that have hazard, have hazard, covered already, already covered, accounted for, addressed by hazard, addressed, picked up by hazard, has hazard, connected to hazard',
            ),
          ],
          says: { verb: 'are', rest: 'relevant and covered' },
        },
        {
          words: [
            ...phrases(
              'without hazard, without any hazard, have no hazard, with no hazard, not covered by anything, no hazard for, no hazard picks up, have no hazard yet, no hazard yet, unmatched, unlinked, not in log, missing from log, missing hazard, nothing covers, no hazard addresses, has no hazard, not linked to any hazard, not matched to any hazard, unmapped, no cover',
            ),
            'uncovered',
            'covered by no hazard',
            'covered by none',
            'no hazard covers',
            'no hazard cover',
            'does no hazard cover',
          ],
          says: { verb: 'are', rest: 'relevant and not covered' },
        },
        'no clear relevance to safety',
      ),
      names: ['coverage'],
      noun: 'coverage',
    },
    {
      id: 'score',
      kind: 'number',
      names: phrases(
        'score, scores, relevance score, relevance scores, scoring, scored, that scored, that score, points',
      ),
      noun: 'relevance score',
      has: 'a relevance score',
      lacks: 'no relevance score',
      hasFractions: true,
      read: ({ score }) => score,
    },
    {
      id: 'possible',
      kind: 'count',
      names: ['possible hazard', 'possible hazards', 'possible match', 'possible matches'],
      noun: 'possible hazard',
      has: 'a possible hazard',
      lacks: 'no possible hazard',
      read: ({ possibleHazardIds = [] }) => possibleHazardIds.length,
    },
  ],
  outside: ({ summary }) => [summary],
  line: ({ key, summary }) => `${key}: ${summary}`,
});

type Match = { ticketKey: string; hazardId: string };

const MATCHES: Nouns = { one: 'possible match', many: 'possible matches', names: ['match', 'matches'] };

const matches = ({ tickets }: AnalysisResult): Entity<Match> => ({
  id: 'matches',
  ...MATCHES,
  rows: tickets.flatMap(({ key, possibleHazardIds = [] }) =>
    possibleHazardIds.map((hazardId) => ({ ticketKey: key, hazardId })),
  ),
  fields: [
    namedField(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
    namedField(
      { id: 'ticket', names: ['ticket'], noun: 'ticket', before: ['of', 'for', 'ticket'], behind: ['have', 'has'] },
      ({ ticketKey }) => ticketKey,
    ),
  ],
  line: ({ ticketKey, hazardId }) => `${ticketKey}: ${hazardId}`,
});

/** The kinds of row that each result has. A result never changes; a new decision or analysis makes another one. */
const opened = new WeakMap<AnalysisResult, readonly Askable[]>();

/** The kinds of row that a question can ask a result for. A question that names none of them asks for the first. */
export function askablesOf(result: AnalysisResult): readonly Askable[] {
  const known = opened.get(result) ?? openAll(result);
  opened.set(result, known);
  return known;
}

function openAll(result: AnalysisResult): readonly Askable[] {
  const kinds: Kinds = {
    hazards: onFirstUse(() => ({ ...hazards(result), relations: ofHazardRow(kinds) }) as Entity),
    findings: onFirstUse(() => ({ ...findings(result), relations: [ofHazard(kinds)] }) as Entity),
    tickets: onFirstUse(() => ({ ...tickets(result), relations: [ofTicket(kinds)] }) as Entity),
    controls: onFirstUse(() => ({ ...controls(result), relations: [ofHazard(kinds)] }) as Entity),
    causes: onFirstUse(() => ({ ...causes(result), relations: [ofHazard(kinds)] }) as Entity),
  };
  return [
    askable(HAZARDS, kinds.hazards),
    askable(PROPOSALS, () => ({ ...proposals(result), relations: ofProposal(kinds) })),
    askable(FINDINGS, kinds.findings),
    askable(MATCHES, () => ({ ...matches(result), relations: ofMatch(kinds) })),
    askable(TICKETS, kinds.tickets),
    askable(CONTROLS, kinds.controls),
    askable(CAUSES, kinds.causes),
  ];
}
