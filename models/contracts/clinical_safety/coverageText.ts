import type { AnalysisResult, Coverage } from './hazards.ts';
import type { MatchChoice, ModelChoices, ModelDrafts, PossibleMatch } from './matches.ts';

/** The tickets that a coverage figure does not count: "43 possible, 26 none, 4 unsure"; null in older results. */
export const describeNotCounted = ({
  possible,
  none,
  unsure,
}: Pick<Coverage, 'possible' | 'none' | 'unsure'>): string | null =>
  possible === undefined ? null : `${possible} possible, ${none ?? 0} none, ${unsure} unsure`;

/** The hazard's side of a match with its cell: "“The dose is lost” (Log!C5)". */
export const describeHazardSide = ({ hazardQuote, place }: Pick<PossibleMatch, 'hazardQuote' | 'place'>): string =>
  `“${hazardQuote}” (${place.sheet}!${place.cell})`;

/** What a model chose for a ticket, in ids alone: "azure:gpt-5 chose H-12, and may be wrong." */
export const describeChoice = ({ model, hazardId }: Pick<MatchChoice, 'model' | 'hazardId'>): string =>
  hazardId === null
    ? `${model} found none that fits, and may be wrong.`
    : `${model} chose ${hazardId}, and may be wrong.`;

const ticketsIn = (count: number): string => `${count} ${count === 1 ? 'ticket' : 'tickets'}`;

/** What a model did in an analysis, in a sentence or two. */
export function describeChoices(
  model: string,
  { tickets, chosen, none, dropped, notAsked, known, tokens }: ModelChoices,
): string {
  const left = [
    dropped > 0 ? `${ticketsIn(dropped)} had an answer that did not pass the check` : '',
    notAsked > 0 ? `${ticketsIn(notAsked)} got no answer` : '',
  ].filter(Boolean);
  return [
    `Of ${ticketsIn(tickets)} with possible matches, ${model} chose a hazard for ${chosen} and none of the nearest for ${none}. It only orders what you are asked: nothing is covered by it.`,
    left.length > 0 ? `${left.join(' and ')}; there the built-in order stands.` : '',
    `It used ${tokens.toLocaleString('en-GB')} credits${known > 0 ? `; ${ticketsIn(known)} ${known === 1 ? 'was' : 'were'} answered in an earlier analysis and cost nothing` : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a model drafted in an analysis, in a sentence or two. */
export function describeDrafts(
  model: string,
  { tickets, asked, known, drafted, dropped, tokens }: ModelDrafts,
): string {
  const count = (drafts: number, noun: string) => `${drafts} ${noun}${drafts === 1 ? '' : 's'}`;
  const notAsked = tickets - asked;
  return [
    `From ${asked} of ${ticketsIn(tickets)} without a known kind of hazard, ${model} drafted ${count(drafted, 'proposal')}, which may be wrong: unrated, with verbatim words of the tickets, for you to decide on.`,
    dropped > 0
      ? `${count(dropped, 'draft')} did not pass the check and ${dropped === 1 ? 'was' : 'were'} dropped.`
      : '',
    notAsked > 0 ? `${ticketsIn(notAsked)} got no answer.` : '',
    `It used ${tokens.toLocaleString('en-GB')} credits${known > 0 ? `; ${ticketsIn(known)} ${known === 1 ? 'was' : 'were'} answered in an earlier analysis and cost nothing` : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a model did in an analysis: a text for what it chose, and one for what it drafted; none where none was asked. */
export function describeModelWork({
  modelUsed,
  modelChoices,
  modelDrafts,
}: Pick<AnalysisResult['analysisMetadata'], 'modelUsed' | 'modelChoices' | 'modelDrafts'>): string[] {
  const model = modelUsed || 'the language model';
  return [
    ...(modelChoices ? [describeChoices(model, modelChoices)] : []),
    ...(modelDrafts ? [describeDrafts(model, modelDrafts)] : []),
  ];
}
