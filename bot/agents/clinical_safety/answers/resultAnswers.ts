import { describeHazardSide } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import { isAccepted, type StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type {
  AnalysisResult,
  ExistingHazard,
  TicketVerdict,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { describeBasis } from '../../../../models/contracts/clinical_safety/matrixBasis.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  describeDrafter,
  describeProposals,
} from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { riskInCell } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { listLines } from '../../../engine/queries/listLines.ts';
import { changesMeaning, questionWords } from '../../../engine/queries/words.ts';
import { counted } from '../counted.ts';
import { describeAccepted, describeCoverage, describeResult } from './describe.ts';
import { describeHazard, describeKnowledge } from './hazardAnswers.ts';
import { idFinder } from './namedIds.ts';

type Answerer = {
  /** Matches the whole plain line; one more word would make it a different question. */
  asks: RegExp;
  /** Set where it answers for one hazard. */
  intent?: 'about-one';
  /** The tool that the answer needs, if not the agent's usual one. */
  tool?: string;
  answer: (result: StandingResult, match: RegExpExecArray) => string | null;
};

const hazardLine = ({ id, name }: ExistingHazard) => `${id}: ${name}`;

/** Words to leave out of a search, and words that join two searches, which is refused. */
const SMALL_WORDS = new Set(['in', 'of', 'to', 'for', 'on', 'at', 'with', 'by', 'any', 'all', 'their', 'its']);
const JOINS = new Set(['and', 'or', 'but', '&', '/', '+']);

/** The hazards that have every word of a topic, by how many stand in their name. */
function rankByTopic({ existingHazards }: AnalysisResult, topic: string) {
  const roots = topic
    .split(' ')
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ies|s)$/, '') : word));
  const has = (words: readonly string[], root: string) =>
    words.some((word) => (root.length > 3 ? word.startsWith(root) : word === root));
  const ranked = existingHazards.flatMap((hazard) => {
    const { name, description, causes } = hazard;
    const whole = questionWords([name, description, ...causes.map(({ text }) => text)].join(' '));
    const inName = roots.filter((root) => has(questionWords(name), root)).length;
    return roots.length > 0 && roots.every((root) => has(whole, root)) ? [{ hazard, inName }] : [];
  });
  return ranked.sort((one, other) => other.inName - one.inName);
}

/** Fewer words of a hazard's name may be about another one. */
const MIN_TOPIC = 3;

/** A proposal in a line: "HAZ-009: Dose is lost", "New cause of HAZ-005: Dose is late". */
const nameProposal = (proposal: NewHazard): string =>
  additionOf(proposal)?.values.name ?? `${proposal.proposedId}: ${proposal.values.name}`;

export const RESULT_ANSWERS: Answerer[] = [
  {
    intent: 'about-one',
    asks: /^(?:what (?:do (?:we|you) (?:know|have)|is there|does it say) (?:about|on)|tell me (?:more )?about|what about|(?:show|open|find) (?:me )?one (?:about|on|with)|(?:show|open|find) (?:me )?|anything (?:about|on)|what(?:'s| is) story with|details (?:of|on)|more (?:about|on)) (?<topic>[^\d]+)$/,
    answer: (result, { groups }) => {
      const words = (groups?.topic ?? '')
        .split(' ')
        .filter((word) => !/^(?:being|getting|that|is|one|hazard|where)$/.test(word));
      if (words.length < MIN_TOPIC || words.some((word) => JOINS.has(word) || changesMeaning(word))) return null;
      const [best, next] = rankByTopic(result, words.join(' '));
      const isWhole = best && best.inName >= MIN_TOPIC && best.inName > (next?.inName ?? 0);
      return isWhole ? describeHazard(result, best.hazard) : null;
    },
  },
  {
    intent: 'about-one',
    asks: /^(?:(?:show(?: me)?|open|find(?: me)?|describe|explain|give me|tell me about|what is|what's) )?hazard (?:(?:that is )?(?:about|with|of|for|where|concerning|on|called|named)) (?<topic>[^\d]+)$/,
    answer: (result, { groups }) => {
      const topic = groups?.topic ?? '';
      if (topic.split(' ').some((word) => JOINS.has(word) || changesMeaning(word))) return null;
      const [best, next] = rankByTopic(result, topic);
      // Named only with a margin: the next hazard has fewer of the words in its name.
      return best && best.inName > (next?.inName ?? 0) ? describeHazard(result, best.hazard) : null;
    },
  },
  {
    asks: /^(?:(?:what is|what's|how (?:is|good is)|show(?: me)?|tell me|give me|explain|why is) )?(?:my )?(?:tickets?'? )?coverage(?: score| figure| percentage)?(?: (?:what it is|(?:so )?(?:low|high)))?$|^how (?:well|many|much) (?:are|of|is) (?:my )?tickets (?:are |is )?covered$|^(?:(?:which|what|how many|show(?: me)?|list|find) )?(?:relevant )?tickets (?:(?:that )?are )?(?<not>not |un)?covered$|^(?:(?:show(?: me)?|list|find) )?(?<no>uncovered) tickets$/,
    answer: ({ analysisMetadata, tickets }, { input, groups }) => {
      const { coverage, coverageScore } = analysisMetadata;
      if (coverageScore === null)
        return 'Coverage has no figure: none of the tickets is relevant to safety, or no tickets were given. It is then never shown as 100 per cent.';
      const figure = describeCoverage(coverage, coverageScore);
      const why =
        'A ticket counts as covered if a hazard names it, if it names a hazard, or if a person confirmed it. A hazard that is only near to what the ticket is about is possible.';
      const isOpen = Boolean(groups?.not || groups?.no);
      const asked = tickets.filter(
        ({ relevance, coveredBy }) => relevance === 'relevant' && (coveredBy === null) === isOpen,
      );
      const lines = listLines(
        asked.map(({ key, summary, hazardIds }) => `${key}: ${summary}${isOpen ? '' : ` (${hazardIds.join(', ')})`}`),
      );
      const open = coverage.relevant - coverage.covered;
      const rest = !input.includes('tickets')
        ? open > 0
          ? `\n${counted(open, 'relevant ticket')} ${open === 1 ? 'is' : 'are'} not covered; ask “which tickets are not covered”.`
          : ''
        : asked.length > 0
          ? `\n${isOpen ? 'Not covered' : 'Covered'}:\n${lines}`
          : '';
      return `${figure}\n${why}${rest}`;
    },
  },
  {
    tool: 'riskmanagement',
    asks: /^(?:(?:explain|show(?: me)?|what is|what's|give me|tell me about) )?(?:risk )?matrix$|^how (?:is|are) risks? (?:worked out|calculated|computed|scored)$/,
    answer: ({ analysisMetadata }) => {
      const { matrix } = analysisMetadata.log;
      const rows = matrix.cells.map(
        (cells, at) =>
          `${matrix.likelihoods[at]}: ${cells.map((_, column) => `${matrix.severities[column]} ${riskInCell(matrix, at, column)}`).join(', ')}`,
      );
      const basis = describeBasis(matrix);
      const checked = `The risks are checked against: ${matrix.name}.${basis && ` ${basis}`}`;
      if (rows.length === 0) return checked;
      const how =
        matrix.source === 'numeric'
          ? 'The log multiplies the two numbers itself; that is its own scale.'
          : 'Risk is looked up in the table, never multiplied.';
      return `${checked}\n${how} By likelihood:\n${listLines(rows)}`;
    },
  },
  {
    asks: /^(?:(?:which|what|how many|show(?: me)?|list|find) )?(?:(?:unsure|uncertain) tickets(?: are there)?|tickets (?:(?:that )?are )?(?:unsure|uncertain))$/,
    answer: ({ tickets }) => {
      const unsure = tickets.filter(({ relevance }) => relevance === 'unsure');
      return unsure.length === 0
        ? 'No ticket is unsure.'
        : `${counted(unsure.length, 'ticket')} may be relevant to safety and ${unsure.length === 1 ? 'needs' : 'need'} a person to decide:\n${listLines(unsure.map(({ key, summary }) => `${key}: ${summary}`))}`;
    },
  },
  {
    asks: /^(?:(?:which|what|how many|show(?: me)?|list|what are|tell me|give me) )?(?:(?:new|proposed|suggested) hazards|proposals|suggestions)(?: (?:are there|do you have|do we have|did you find))?$|^what (?:do|did|would) you (?:propose|suggest)$|^what is proposed$/,
    answer: ({ newHazards }) =>
      newHazards.length === 0
        ? 'Nothing is proposed: every relevant ticket is covered, none fits a known kind of hazard well enough, or no tickets were given.'
        : `${describeProposals(newHazards)} ${newHazards.length === 1 ? 'is' : 'are'} proposed for review:\n${listLines(newHazards.map((proposal) => `${nameProposal(proposal)} (${counted(proposal.evidence.length, 'ticket')}${proposal.sure || proposal.draftedBy ? '' : '; choose among the candidates'})`))}`,
  },
  {
    asks: /^(?:(?:which|what) )?versions?(?: (?:is (?:it|this|log|this log|hazard log)|of (?:(?:this|my) )?(?:hazard )?log(?: is (?:it|this))?|does log (?:have|give)))?$/,
    answer: ({ analysisMetadata }) => {
      const { versions } = analysisMetadata.log;
      return versions.length === 0
        ? 'The log gives no version in its file name or on its sheets.'
        : `Versions that the log gives:\n${listLines(versions.map(({ source, version, place }) => `${source}: ${version}${place ? ` (cell ${place.cell})` : ''}`))}`;
    },
  },
  {
    asks: /^(?:(?:which|what|what are|how many|are there|show(?: me)?|list|tell me|give me) )?(?:any |all )?(?:findings?|faults|problems|issues|mistakes|errors)(?: (?:are there|do we have|did you find))?(?: to (?<level>fix|check))?$|^what (?:should|must|do|can) (?:i|we) (?:have to |need to )?(?<should>fix|check)(?: first)?$|^(?:what|which findings) (?:needs?|must|should|has to|have to)(?: to)?(?: be)? (?<needs>fix|check)(?:ed|ing)(?: first)?$|^what (?:is|are|was)? ?(?:wrong|to (?<to>fix|check))(?: (?:with )?(?:(?:this|my) )?(?:hazard )?log)?$/,
    answer: (result, { groups }) => {
      const { findings } = result;
      if (findings.length === 0)
        return 'The rules found nothing to fix, check or note. That is not a verdict on safety; it only means that the log agrees with its own rules.';
      const level = groups?.level ?? groups?.should ?? groups?.needs ?? groups?.to;
      const open = findings.filter((finding) => !isAccepted(result, finding));
      const chosen = level ? open.filter((finding) => finding.level === level) : open;
      const of = (name: string) => open.filter((finding) => finding.level === name).length;
      const figures = `${of('fix')} to fix, ${of('check')} to check, ${of('note')} to note.${describeAccepted(findings.length - open.length)}`;
      if (chosen.length === 0) return figures;
      return `${figures}\n${listLines(chosen.map(({ title, places, level: grade }) => `${title} (to ${grade}${places[0] ? `; ${places[0].sheet}, ${places[0].cell}${places.length > 1 ? ` and ${places.length - 1} more` : ''}` : ''})`))}`;
    },
  },
  {
    asks: /^how many (?:hazards|tickets|relevant tickets)(?: (?:are there|do we have|have we|does log have|were analysed))?$|^how many tickets are relevant(?: to safety)?$|^(?:(?:give me|show(?: me)?|what is) )?(?:(?:short )?summary|overview|results?)(?: of (?:analysis|results?|(?:hazard )?log))?$|^summari[sz]e(?: (?:it|this|analysis|results?|(?:hazard )?log))?$|^what did you find$/,
    answer: (result) => {
      const { headline, lines } = describeResult(result);
      return [headline, ...lines].join('\n');
    },
  },
  {
    asks: /^(?:which|what|list|show(?: me)?|find|what are) (?:all )?hazards(?: (?:are there|do we have|have we))?$|^(?:list|show(?: me)?) (?:them )?all hazards$/,
    answer: (result) =>
      `The log has ${counted(result.existingHazards.length, 'hazard')}:\n${listLines(result.existingHazards.map(hazardLine))}`,
  },
  {
    asks: /^(?:which|what|list|show(?: me)?|find|are there|do we have|have we) (?:any |all )?hazards (?:(?:that )?(?:are )?(?:about|to do with)|(?:that )?(?:mention|concern|speak of)|mentioning|concerning|involving) (?<topic>.+)$/,
    answer: (result, { groups }) => {
      const words = (groups?.topic ?? '').split(' ').filter((word) => !SMALL_WORDS.has(word));
      if (words.length === 0 || words.some((word) => JOINS.has(word) || changesMeaning(word))) return null;
      const roots = words.map((word) => (word.length > 4 ? word.replace(/(?:ies|s)$/, '') : word));
      const found = result.existingHazards.filter(({ name, description, clinicalImpact, causes }) => {
        const whole = questionWords([name, description, clinicalImpact, ...causes.map(({ text }) => text)].join(' '));
        return roots.every((root) => whole.some((word) => (root.length > 3 ? word.startsWith(root) : word === root)));
      });
      const topic = words.join(' ');
      const literal = 'This searches for words in names, descriptions, impacts and causes, not for their meaning.';
      return found.length === 0
        ? `No hazard in the log mentions “${topic}” in these words. ${literal}`
        : `${counted(found.length, 'hazard')} in the log ${found.length === 1 ? 'mentions' : 'mention'} “${topic}”:\n${listLines(found.map(hazardLine))}\n${literal}`;
    },
  },
];

/** The proposals of a new hazard; the others have no id of their own. */
const newHazardsOf = ({ newHazards }: AnalysisResult) => newHazards.filter((one) => !additionOf(one));

/** The words of the ids that a question names: of hazards, proposals and tickets. */
export function wordsOfNamed(result: AnalysisResult, text: string): Set<string> {
  const namesHazard = idFinder(text, 'hazard');
  const namesTicket = idFinder(text, 'ticket');
  const ids = [
    ...result.existingHazards.map(({ id }) => id).filter(namesHazard),
    ...newHazardsOf(result)
      .map(({ proposedId }) => proposedId)
      .filter(namesHazard),
    ...result.tickets.map(({ key }) => key).filter(namesTicket),
  ];
  return new Set(ids.flatMap(questionWords));
}

/** The hazards that may cover a ticket, with the words of both sides; empty where there are none. */
function describePossible({ possibleHazardIds = [], possible = [] }: TicketVerdict): string {
  if (possibleHazardIds.length === 0) return '';
  const sides = possible.map(
    (match) => `${match.hazardId} says ${describeHazardSide(match)}, the ticket “${match.ticketQuote}”`,
  );
  const evidence = sides.length > 0 ? `\n${listLines(sides)}` : '';
  return ` Possible by what it is about, for a person to confirm: ${possibleHazardIds.join(', ')}.${evidence}`;
}

/** The hazards that a text names by id. */
export function hazardsNamedIn({ existingHazards }: AnalysisResult, text: string): ExistingHazard[] {
  const namesHazard = idFinder(text, 'hazard');
  return existingHazards.filter(({ id }) => namesHazard(id));
}

/** Describes the hazards, the proposal or the ticket that a question names by id; null where it names none. */
export function answerByName(result: AnalysisResult, text: string): string | null {
  const namesHazard = idFinder(text, 'hazard');
  const namesTicket = idFinder(text, 'ticket');
  const hazards = hazardsNamedIn(result, text);
  if (hazards.length > 0) return hazards.map((hazard) => describeHazard(result, hazard)).join('\n\n');
  const proposal = newHazardsOf(result).find(({ proposedId }) => namesHazard(proposedId));
  if (proposal) {
    const { proposedId, values, evidence, candidates, sure, status } = proposal;
    return [
      `${proposedId} is a proposal (${status}): ${values.name}`,
      values.description,
      `Clinical impact: ${values.clinicalImpact}`,
      describeDrafter(proposal) ?? '',
      sure || proposal.draftedBy
        ? ''
        : `Not sure; candidates: ${candidates.map(({ kbId, title }) => `${kbId} ${title}`).join('; ')}.`,
      `Evidence:\n${listLines(evidence.map(({ ticketKey, quote }) => `${ticketKey}: “${quote}”`))}`,
    ]
      .filter(Boolean)
      .join('\n');
  }
  const ticket = result.tickets.find(({ key }) => namesTicket(key));
  if (!ticket) return null;
  const verdict = {
    relevant: 'relevant to safety',
    unsure: 'possibly relevant to safety, for a person to decide',
    not: 'not relevant to safety',
  }[ticket.relevance];
  const cover = ticket.coveredBy
    ? `Covered by ${ticket.hazardIds.join(', ')} (${ticket.coveredBy}).`
    : ticket.relevance === 'relevant'
      ? `No hazard of the log covers it.${describePossible(ticket)}`
      : '';
  const kinds =
    ticket.relevance === 'not' || ticket.kbIds.length === 0
      ? ''
      : `Nearest kinds of hazard: ${ticket.kbIds.map((id) => describeKnowledge(id)?.split('\n')[0] ?? id).join('; ')}.`;
  return [
    `${ticket.key}: ${ticket.summary}`,
    `Judged ${verdict}.`,
    ticket.quote ? `What decided it: “${ticket.quote}”` : '',
    cover,
    kinds,
  ]
    .filter(Boolean)
    .join('\n');
}
