import { isAccepted, type StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { differingRisk, recordedRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { listLines } from '../../../engine/queries/listLines.ts';
import { counted } from '../counted.ts';
import { findKnowledge, KNOWLEDGE } from '../knowledge/knowledge.ts';

function describeRating(name: string, rating: Rating): string {
  const { severity, likelihood } = rating;
  const risk = recordedRisk(rating);
  if (!severity && !likelihood && risk === null) return `${name}: not rated.`;
  const matrix = differingRisk(rating);
  const differs = matrix === null ? '' : ` The matrix gives ${matrix}.`;
  return `${name}: ${severity ?? 'no severity'}, ${likelihood ?? 'no likelihood'}, risk ${risk ?? 'not recorded'}.${differs}`;
}

/** Describes one hazard from the log and the analysis. */
export function describeHazard(result: StandingResult, hazard: ExistingHazard): string {
  const findings = result.findings.filter(
    ({ hazardId, places }) =>
      hazardId === hazard.id ||
      (hazardId === null &&
        places.some(
          ({ sheet, cell }) =>
            sheet === hazard.rows.sheet && rowOf(cell) >= hazard.rows.first && rowOf(cell) <= hazard.rows.last,
        )),
  );
  const tickets = result.tickets.filter(({ hazardIds }) => hazardIds.includes(hazard.id));
  const possible = result.tickets.filter(({ possibleHazardIds }) => possibleHazardIds?.includes(hazard.id));
  return [
    `${hazard.id}: ${hazard.name}`,
    hazard.description && hazard.description !== hazard.name ? hazard.description : '',
    hazard.clinicalImpact ? `Clinical impact: ${hazard.clinicalImpact}` : 'No clinical impact is given.',
    describeRating('Before controls', hazard.initial),
    describeRating('After controls', hazard.residual),
    `${counted(hazard.causes.length, 'cause entry', 'cause entries')}, ${counted(hazard.controls.length, 'control entry', 'control entries')}. Owner: ${hazard.owner ?? 'blank'}. Status: ${hazard.status ?? 'blank'}.`,
    possible.length > 0
      ? `${counted(possible.length, 'more ticket', 'more tickets')} may relate to it by what they are about, not counted as covered: ${possible
          .slice(0, 8)
          .map(({ key }) => key)
          .join(', ')}${possible.length > 8 ? ' …' : ''}.`
      : '',
    tickets.length > 0
      ? `Covers ${counted(tickets.length, 'ticket')}: ${tickets
          .slice(0, 8)
          .map(({ key }) => key)
          .join(', ')}${tickets.length > 8 ? ' …' : ''}.`
      : '',
    findings.length > 0
      ? `Findings:\n${listLines(findings.map((finding) => `${finding.title} (to ${finding.level}${isAccepted(result, finding) ? ', accepted' : ''})`))}`
      : 'No findings for this hazard.',
    `In “${hazard.rows.sheet}”, ${hazard.rows.last > hazard.rows.first ? `rows ${hazard.rows.first} to ${hazard.rows.last}` : `row ${hazard.rows.first}`}.`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Why a hazard is as it is: the log's own rationale, or that it gives none. No reason is ever guessed. */
export function describeWhy({ id, name, rationale, causes, rows }: ExistingHazard): string {
  const says = rationale
    ? `${id}: ${name}. The log says why: “${rationale}”`
    : `${id}: ${name}. The log gives no reason for its ratings or its status, and I don’t guess one.`;
  const from = causes.length > 0 ? `\nCauses that it names:\n${listLines(causes.map(({ text }) => text))}` : '';
  return `${says}${from}\nIn “${rows.sheet}”, row ${rows.first}. For more, ask the owner of the row or your Clinical Safety Officer.`;
}

function rowOf(cell: string): number {
  return Number(/(\d+)$/.exec(cell.split(':')[0] ?? '')?.[1] ?? 0);
}

/** Describes an entry of the knowledge base; null for an unknown id. */
export function describeKnowledge(id: string): string | null {
  const entry = findKnowledge(id);
  if (!entry) return null;
  const { controls } = entry;
  const list = [
    ['Design', controls.design],
    ['Test', controls.test],
    ['Training', controls.training],
    ['Business process', controls.business],
  ].flatMap(([kind, text]) => (text ? [`${kind}: ${text}`] : []));
  return [
    `${entry.id}: ${entry.title} (${entry.category})`,
    entry.description,
    `Causes: ${entry.causes.join('; ')}.`,
    `Clinical impact: ${entry.clinicalImpact}`,
    `Controls to consider:\n${listLines(list)}`,
    `For discussion, before controls: ${entry.suggested.severity}, ${entry.suggested.likelihood}, risk ${entry.suggested.risk}. Your Clinical Safety Officer sets the rating.`,
  ].join('\n');
}

export const KNOWLEDGE_COUNT = KNOWLEDGE.length;

/** How to ask for kinds of hazard, where none was found by the words of a question. */
export const WHICH_KINDS = `You ask what can go wrong, I think, but none of the ${KNOWLEDGE_COUNT} kinds of hazard that I know is close enough to your words. I know kinds of these areas:\n${listLines([...new Set(KNOWLEDGE.map(({ category }) => category))])}\nAsk for one area, such as “hazards of ${KNOWLEDGE[0]?.category.toLowerCase() ?? 'medication'}”, or say “assess this product:” with what it does.`;
