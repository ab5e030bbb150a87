import type {
  AnalysisResult,
  ExistingHazard,
  Finding,
  TicketVerdict,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { additionOf } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { type Askable, askable } from '../../../engine/queries/answerQuery.ts';
import type { Entity, Nouns } from '../../../engine/queries/entity.ts';
import { CAUSES, CONTROLS, causes, controls } from './controls.ts';
import { hazardFields } from './hazardFields.ts';
import { named, OF_HAZARD } from './named.ts';

const HAZARDS: Nouns = { one: 'hazard', many: 'hazards', names: ['everything', 'anything', 'entries'] };

const hazards = (result: AnalysisResult): Entity<ExistingHazard> => ({
  id: 'hazards',
  ...HAZARDS,
  rows: result.existingHazards,
  fields: hazardFields(result),
  line: ({ id, name }) => `${id}: ${name}`,
});

const FINDINGS: Nouns = { one: 'finding', many: 'findings' };

const findings = ({ findings }: AnalysisResult): Entity<Finding> => ({
  id: 'findings',
  ...FINDINGS,
  rows: findings,
  fields: [
    {
      id: 'level',
      kind: 'choice',
      names: ['level', 'levels'],
      noun: 'level',
      has: 'a level',
      lacks: 'no level',
      before: ['to', 'level', 'to be'],
      isNamed: true,
      usual: ['fix', 'check', 'note'],
      read: ({ level }) => level,
    },
    named(
      { id: 'hazard', names: ['hazard', 'hazards'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
    named(
      { id: 'rule', names: ['rule', 'rules', 'kind', 'kinds'], noun: 'rule', before: ['of rule'] },
      ({ rule }) => rule,
    ),
    named(
      { id: 'clause', names: ['clause', 'clauses'], noun: 'clause', before: ['under clause'] },
      ({ clause }) => clause,
    ),
  ],
  line: ({ title, level, places: [place] }) =>
    `${title} (to ${level}${place ? `; ${place.sheet}, ${place.cell}` : ''})`,
});

const TICKETS: Nouns = { one: 'ticket', many: 'tickets' };

const tickets = ({ tickets }: AnalysisResult): Entity<TicketVerdict> => ({
  id: 'tickets',
  ...TICKETS,
  rows: tickets,
  fields: [
    {
      id: 'relevant',
      kind: 'flag',
      names: ['relevance'],
      noun: 'relevance',
      has: 'a clear relevance',
      lacks: 'no clear relevance',
      read: ({ relevance }) => (relevance === 'unsure' ? null : relevance === 'relevant'),
      yes: {
        words: ['relevant', 'relevant to safety', 'safety relevant', 'relevant for safety'],
        says: { verb: 'are', rest: 'relevant to safety' },
      },
      no: { words: ['irrelevant'], says: { verb: 'are', rest: 'not relevant to safety' } },
    },
    {
      id: 'unsure',
      kind: 'flag',
      names: [],
      noun: 'sureness',
      has: 'a verdict',
      lacks: 'no verdict',
      read: ({ relevance }) => relevance === 'unsure',
      yes: { words: ['unsure', 'uncertain', 'undecided'], says: { verb: 'are', rest: 'unsure' } },
      no: { words: ['certain'], says: { verb: 'are', rest: 'not unsure' } },
    },
    {
      id: 'covered',
      kind: 'flag',
      names: ['coverage'],
      noun: 'coverage',
      has: 'a clear relevance to safety',
      lacks: 'no clear relevance to safety',
      // Only of a relevant ticket is it a question whether a hazard covers it.
      read: ({ relevance, coveredBy }) => (relevance === 'relevant' ? coveredBy !== null : null),
      yes: {
        words: ['covered', 'covered by hazard', 'covered by any hazard', 'covered by hazards'],
        says: { verb: 'are', rest: 'relevant and covered' },
      },
      no: {
        words: [
          'uncovered',
          'covered by no hazard',
          'covered by none',
          'no hazard covers',
          'no hazard cover',
          'does no hazard cover',
        ],
        says: { verb: 'are', rest: 'relevant and not covered' },
      },
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
    named(
      { id: 'hazard', names: ['hazard'], noun: 'hazard', before: OF_HAZARD, behind: ['have', 'has'] },
      ({ hazardId }) => hazardId,
    ),
    named(
      { id: 'ticket', names: ['ticket'], noun: 'ticket', before: ['of', 'for', 'ticket'], behind: ['have', 'has'] },
      ({ ticketKey }) => ticketKey,
    ),
  ],
  line: ({ ticketKey, hazardId }) => `${ticketKey}: ${hazardId}`,
});

const PROPOSALS: Nouns = {
  one: 'proposal',
  many: 'proposals',
  names: ['proposed hazard', 'proposed hazards', 'new hazard', 'new hazards', 'suggestion', 'suggestions'],
};

const proposals = ({ newHazards }: AnalysisResult): Entity<NewHazard> => ({
  id: 'proposals',
  ...PROPOSALS,
  rows: newHazards,
  fields: [
    {
      id: 'sure',
      kind: 'flag',
      names: [],
      noun: 'sureness',
      has: 'a verdict',
      lacks: 'no verdict',
      read: ({ sure }) => sure,
      yes: { words: ['sure', 'clear', 'certain', 'sure about', 'sure of'], says: { verb: 'are', rest: 'sure' } },
      no: { words: ['unsure', 'unclear', 'uncertain', 'unsure about'], says: { verb: 'are', rest: 'not sure' } },
    },
    {
      id: 'new',
      kind: 'flag',
      names: [],
      noun: 'form',
      has: 'a form',
      lacks: 'no form',
      read: (proposal) => additionOf(proposal) === undefined,
      yes: { words: ['new hazards', 'new hazard'], says: { verb: 'are', rest: 'new hazards' } },
      no: {
        words: ['additions', 'addition', 'additions to existing one', 'additions to existing hazard'],
        says: { verb: 'are', rest: 'additions to hazards of the log' },
      },
    },
    {
      id: 'possible',
      kind: 'count',
      names: ['possible existing hazard', 'possible existing hazards', 'possible hazard', 'possible hazards'],
      noun: 'possible existing hazard',
      has: 'a possible existing hazard',
      lacks: 'no possible existing hazard',
      read: ({ possibleHazardIds = [] }) => possibleHazardIds.length,
    },
    {
      id: 'suggestedRisk',
      kind: 'number',
      names: ['suggested risk', 'suggested risks', 'suggested risk score'],
      noun: 'suggested risk',
      has: 'a suggested risk',
      lacks: 'no suggested risk',
      read: ({ suggested }) => suggested.risk,
    },
    {
      id: 'rejectedBefore',
      kind: 'flag',
      names: [],
      noun: 'earlier rejection',
      has: 'an earlier rejection',
      lacks: 'no earlier rejection',
      read: ({ rejectedBefore }) => rejectedBefore !== undefined,
      yes: { words: ['rejected before', 'rejected earlier'], says: { verb: 'have', rest: 'been rejected before' } },
      no: { words: ['never rejected'], says: { verb: 'have', rest: 'not been rejected before' } },
    },
    {
      id: 'tickets',
      kind: 'count',
      names: ['ticket', 'tickets', 'evidence'],
      noun: 'ticket',
      has: 'a ticket',
      lacks: 'no ticket',
      read: ({ evidence }) => evidence.length,
    },
    {
      id: 'category',
      kind: 'choice',
      names: ['category', 'categories'],
      noun: 'category',
      has: 'a category',
      lacks: 'no category',
      before: ['in category', 'of category', 'in'],
      read: ({ category }) => category,
    },
  ],
  line: (proposal) => additionOf(proposal)?.values.name ?? `${proposal.proposedId}: ${proposal.values.name}`,
});

/** What a question can ask of a result. The first is meant where a question names none. */
export const askablesOf = (result: AnalysisResult): Askable[] => [
  askable(HAZARDS, () => hazards(result)),
  askable(PROPOSALS, () => proposals(result)),
  askable(FINDINGS, () => findings(result)),
  askable(MATCHES, () => matches(result)),
  askable(TICKETS, () => tickets(result)),
  askable(CONTROLS, () => controls(result)),
  askable(CAUSES, () => causes(result)),
];
