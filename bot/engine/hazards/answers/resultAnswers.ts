import type { AnalysisResult, ExistingHazard } from '../../../../models/contracts/hazards.ts';
import { counted } from '../counted.ts';
import { describeCoverage, describeResult } from '../describe.ts';
import { describeHazard, describeKnowledge, listed } from './hazardAnswers.ts';
import { idFinder } from './namedIds.ts';

type Answerer = {
  asks: RegExp;
  /** Words that this answer takes account of. A question that turns on any other word is not answered with it. */
  understands: string;
  answer: (result: AnalysisResult, text: string, match: RegExpExecArray) => string | null;
};

const hazardLine = ({ id, name }: ExistingHazard) => `${id}: ${name}`;

/** Answers that the latest analysis gives. The first whose question fits, and that has something to say, wins. */
export const RESULT_ANSWERS: Answerer[] = [
  {
    understands:
      'cover coverage covered covers uncovered ticket tickets not why low high score figure percentage percent relevant safety open missing hazard',
    asks: /\bcover(?:age|ed|s)?\b/i,
    answer: ({ analysisMetadata, tickets }, text) => {
      const { coverage, coverageScore } = analysisMetadata;
      if (coverageScore === null)
        return 'Coverage has no figure: none of the tickets is relevant to safety, or no tickets were given. It is never shown as 100 per cent then.';
      const open = tickets.filter(({ relevance, coveredBy }) => relevance === 'relevant' && coveredBy === null);
      const figure = describeCoverage(coverage, coverageScore);
      const why =
        'A ticket counts as covered where a hazard names it, where it names a hazard, or where a person said so. Words that match make a hazard possible and no more.';
      const rest =
        open.length > 0 && /\bnot covered|uncovered|which|missing|open\b/i.test(text)
          ? `\nNot covered:\n${listed(open.map(({ key, summary }) => `${key}: ${summary}`))}`
          : open.length > 0
            ? `\n${counted(open.length, 'relevant ticket')} ${open.length === 1 ? 'is' : 'are'} not covered; ask “which tickets are not covered”.`
            : '';
      return `${figure}\n${why}${rest}`;
    },
  },
  {
    understands: 'matrix risk risks worked out calculated computed scored explain',
    asks: /\bmatrix\b|\bhow (?:is|are) (?:the )?risks? (?:worked out|calculated|computed|scored)\b/i,
    answer: ({ analysisMetadata }) => {
      const { matrix } = analysisMetadata.log;
      const rows = matrix.cells.map(
        (cells, at) =>
          `${matrix.likelihoods[at]}: ${cells.map((risk, column) => `${matrix.severities[column]} ${risk}`).join(', ')}`,
      );
      return `The risks are checked against: ${matrix.name}.\n${matrix.source === 'numeric' ? 'The log multiplies the two numbers itself; that is its own scale.' : 'Risk is looked up in the table, never multiplied.'} By likelihood:\n${listed(rows)}`;
    },
  },
  {
    understands: 'unsure uncertain ticket tickets',
    asks: /\b(?:unsure|uncertain)\b/i,
    answer: ({ tickets }) => {
      const unsure = tickets.filter(({ relevance }) => relevance === 'unsure');
      return unsure.length === 0
        ? 'No ticket is in the unsure band.'
        : `${counted(unsure.length, 'ticket')} may touch safety and ${unsure.length === 1 ? 'is' : 'are'} left to a person:\n${listed(unsure.map(({ key, summary }) => `${key}: ${summary}`))}`;
    },
  },
  {
    understands: 'new proposed propose proposal proposals suggest suggested suggestion suggestions',
    asks: /\b(?:new|proposed|propose|proposals?|suggest(?:ed|ions?)?)\b/i,
    answer: ({ newHazards }) =>
      newHazards.length === 0
        ? 'Nothing is proposed: every relevant ticket is covered, none fits a known kind of hazard well enough, or no tickets were given.'
        : `${counted(newHazards.length, 'new hazard')} ${newHazards.length === 1 ? 'is' : 'are'} proposed for review:\n${listed(newHazards.map(({ proposedId, values, evidence, sure }) => `${proposedId}: ${values.name} (${counted(evidence.length, 'ticket')}${sure ? '' : '; choose among the candidates'})`))}`,
  },
  {
    understands: 'version versions',
    asks: /\bversions?\b/i,
    answer: ({ analysisMetadata }) => {
      const { versions } = analysisMetadata.log;
      return versions.length === 0
        ? 'The log names no version, neither in its file name nor on its sheets.'
        : `Versions that the log gives:\n${listed(versions.map(({ source, version, place }) => `${source}: ${version}${place ? ` (cell ${place.cell})` : ''}`))}`;
    },
  },
  {
    understands:
      'finding findings fault faults problem problems issue issues wrong mistake mistakes error errors fix check checked first should',
    asks: /\b(?:findings?|faults?|problems?|issues?|what(?:['’]s| is| are) wrong|mistakes?|errors?|fix|check(?:ed)?)\b/i,
    answer: ({ findings }, text) => {
      if (findings.length === 0)
        return 'The rules found nothing to fix, check or note. That is no verdict on safety; it says that the log agrees with its own rules.';
      const level = /\bfix\b/i.test(text) ? 'fix' : /\bcheck\b/i.test(text) ? 'check' : null;
      const chosen = level ? findings.filter((finding) => finding.level === level) : findings;
      const of = (name: string) => findings.filter((finding) => finding.level === name).length;
      return `${of('fix')} to fix, ${of('check')} to check, ${of('note')} to note.\n${listed(chosen.map(({ title, places, level: grade }) => `${title} (to ${grade}${places[0] ? `; ${places[0].sheet}, ${places[0].cell}${places.length > 1 ? ` and ${places.length - 1} more` : ''}` : ''})`))}`;
    },
  },
  {
    understands: 'summary summarise summarize overview result results find analysis analysed',
    asks: /\bhow many\b|\bsummar(?:y|ise|ize)\b|\boverview\b|\bresults?\b|\bwhat did you find\b/i,
    answer: (result) => {
      const { headline, lines } = describeResult(result);
      return [headline, ...lines].join('\n');
    },
  },
  {
    understands: 'about mention mentions mentioning with',
    asks: /\b(?:list|which|what|show)\b.*\bhazards?\b/i,
    answer: (result, text) => {
      const topic =
        /\b(?:about|on|for|with|mention(?:ing)?|to do with|concern(?:ing)?|involving)\s+(?:the\s+|an?\s+)?(.+?)\s*\??$/i
          .exec(text)?.[1]
          ?.toLowerCase();
      if (!topic)
        return `The log has ${counted(result.existingHazards.length, 'hazard')}:\n${listed(result.existingHazards.map(hazardLine))}`;
      const words = topic
        .split(/\W+/)
        .filter((word) => word.length > 3)
        .map((word) => word.replace(/(?:ies|s)$/, ''));
      const found = result.existingHazards.filter(({ name, description, clinicalImpact, causes }) => {
        const whole = [name, description, clinicalImpact, ...causes.map((cause) => cause.text)].join(' ').toLowerCase();
        return words.length > 0 && words.every((word) => whole.includes(word));
      });
      return found.length === 0
        ? null
        : `${counted(found.length, 'hazard')} of the log ${found.length === 1 ? 'speaks' : 'speak'} of “${topic}”:\n${listed(found.map(hazardLine))}`;
    },
  },
];

/** A hazard, proposal or ticket that the question names by its id. */
export function answerByName(result: AnalysisResult, text: string): string | null {
  const namesHazard = idFinder(text, 'hazard');
  const namesTicket = idFinder(text, 'ticket');
  const hazards = result.existingHazards.filter(({ id }) => namesHazard(id));
  if (hazards.length > 0) return hazards.map((hazard) => describeHazard(result, hazard)).join('\n\n');
  const proposal = result.newHazards.find(({ proposedId }) => namesHazard(proposedId));
  if (proposal) {
    const { proposedId, values, evidence, candidates, sure, status } = proposal;
    return [
      `${proposedId} is a proposal (${status}): ${values.name}`,
      values.description,
      `Clinical impact: ${values.clinicalImpact}`,
      sure ? '' : `Not sure; candidates: ${candidates.map(({ kbId, title }) => `${kbId} ${title}`).join('; ')}.`,
      `Evidence:\n${listed(evidence.map(({ ticketKey, quote }) => `${ticketKey}: “${quote}”`))}`,
    ]
      .filter(Boolean)
      .join('\n');
  }
  const ticket = result.tickets.find(({ key }) => namesTicket(key));
  if (!ticket) return null;
  const verdict = {
    relevant: 'relevant to safety',
    unsure: 'perhaps relevant to safety, left to a person',
    not: 'not relevant to safety',
  }[ticket.relevance];
  const cover = ticket.coveredBy
    ? `Covered by ${ticket.hazardIds.join(', ')} (${ticket.coveredBy}).`
    : ticket.relevance === 'relevant'
      ? `No hazard of the log covers it.${ticket.possibleHazardIds?.length ? ` Possible by its words, for a person to confirm: ${ticket.possibleHazardIds.join(', ')}.` : ''}`
      : '';
  const kinds =
    ticket.relevance === 'not'
      ? ''
      : `Nearest kinds of hazard: ${ticket.kbIds.map((id) => describeKnowledge(id)?.split('\n')[0] ?? id).join('; ')}.`;
  return [
    `${ticket.key}: ${ticket.summary}`,
    `Judged ${verdict} (score ${ticket.score}; relevant from ${result.analysisMetadata.coverage.relevanceThreshold}).`,
    ticket.quote ? `What decided it: “${ticket.quote}”` : '',
    cover,
    kinds,
  ]
    .filter(Boolean)
    .join('\n');
}
