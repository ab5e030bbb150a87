import type { Addition, NewHazard } from './proposals.ts';

type Proposed = Pick<NewHazard, 'additions' | 'proposedAs'>;

const TITLES: Record<Addition['as'], string> = { cause: 'New cause of', control: 'New control for' };

/** An addition without words of the log: "New cause of HAZ-005". */
export const titleOfAddition = ({ as, hazardId }: Pick<Addition, 'as' | 'hazardId'>): string =>
  `${TITLES[as]} ${hazardId}`;

/**
 * The addition that a proposal is; undefined where it is a new hazard.
 * @param choice the reviewer's choice; by default what it was proposed as
 */
export const additionOf = ({ additions, proposedAs }: Proposed, choice = proposedAs): Addition | undefined =>
  additions?.find(({ id }) => id === choice);

/** What people call a proposal: the id that a new hazard gets ("HAZ-009"), or "New cause of HAZ-005". */
export function labelOfProposal(proposal: Proposed & Pick<NewHazard, 'proposedId'>): string {
  const addition = additionOf(proposal);
  return addition ? titleOfAddition(addition) : proposal.proposedId;
}

/** How many proposals are new hazards, and how many are causes of or controls for hazards of the log. */
export function countProposals(proposals: readonly Proposed[]): { hazards: number; additions: number } {
  const additions = proposals.filter((one) => additionOf(one)).length;
  return { hazards: proposals.length - additions, additions };
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** "3 additions to existing ones"; null where there are none. */
export function describeAdditions(proposals: readonly Proposed[]): string | null {
  const { additions } = countProposals(proposals);
  return additions === 0 ? null : counted(additions, 'addition to an existing one', 'additions to existing ones');
}

/** "2 new hazards, 3 additions to existing ones"; only the kinds that there are. */
export function describeProposals(proposals: readonly Proposed[]): string {
  const { hazards, additions } = countProposals(proposals);
  if (hazards === 0 && additions > 0)
    return counted(additions, 'addition to an existing hazard', 'additions to existing hazards');
  return [counted(hazards, 'new hazard', 'new hazards'), describeAdditions(proposals)].filter(Boolean).join(', ');
}

/** The proposal with the values of the chosen candidate, so that the page shows what is merged. */
export function withMatch(proposal: NewHazard, choice: string | undefined): NewHazard {
  const chosen = proposal.candidates.find(({ kbId }) => kbId === choice);
  if (!chosen?.values || chosen.kbId === proposal.kbId) return proposal;
  const { kbId, category, values, suggested = proposal.suggested } = chosen;
  return { ...proposal, kbId, category, values, suggested };
}

/** Who drafted a proposal that does not come from the knowledge base: "Drafted by azure:gpt-5, and may be wrong"; else null. */
export const describeDrafter = ({ draftedBy }: Pick<NewHazard, 'draftedBy'>): string | null =>
  draftedBy ? `Drafted by ${draftedBy}, and may be wrong` : null;

/** The suggested rating: "Major × Low, risk 3"; null where there is none. */
export const describeSuggested = (
  { suggested }: Pick<NewHazard, 'suggested'>,
  between: '×' | '/' = '×',
): string | null =>
  suggested ? `${suggested.severity} ${between} ${suggested.likelihood}, risk ${suggested.risk}` : null;

/** What a proposal rests on, as fields of a record: the suggested rating, and its entries or the model that drafted it. */
export const basisFields = (
  proposal: NewHazard,
  addition: Addition | undefined,
): [label: string, value: string | null][] => {
  const suggested = addition ? null : describeSuggested(proposal);
  return [
    ['For discussion', suggested && `${suggested} before controls; not written into the log`],
    ['Basis', describeDrafter(proposal)],
    ['Knowledge base', proposal.candidates.map(({ kbId, title }) => `${kbId} ${title}`).join('; ')],
  ];
};
