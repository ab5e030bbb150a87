import { pathOfRows } from '../../../../models/contracts/askedQuery.ts';
import type { AnalysisResult, ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ToolResult } from '../../../engine/thinking/tool.ts';
import { type Answer, isFree } from '../answers/answerShape.ts';

/** The two ratings of a hazard, which an answer must not mix up. */
const BEFORE_AND_AFTER = [
  ['initial', 'before controls', 'before mitigation'],
  ['residual', 'after controls', 'after mitigation'],
];

/** Ratings and states as the log writes them, by result. */
const termsOf = new WeakMap<AnalysisResult, string[]>();

function readTerms(result: AnalysisResult): string[] {
  const known = termsOf.get(result);
  if (known) return known;
  const all = result.existingHazards.flatMap(({ initial, residual, status, controls }) => [
    ...[initial.severity, initial.likelihood, residual.severity, residual.likelihood, status],
    ...controls.map((control) => control.status),
  ]);
  const terms = [...new Set(all)].filter((term) => term !== null && /[a-z]/i.test(term) && term.length <= 40);
  termsOf.set(result, terms as string[]);
  return terms as string[];
}

/** The page of the result with one row alone. */
const pathOfId = (userAgentId: number, entity: 'hazards' | 'tickets', id: string, analysisId: number | null) =>
  pathOfRows(userAgentId, { entity, where: { field: 'id', is: [id] }, onlyCount: false }, analysisId ?? undefined);

/** What the log's authors wrote about a hazard: a dose in it is no rating. */
const wordsOf = ({ name, description, clinicalImpact, causes }: ExistingHazard): string[] => [
  ...[name, description, clinicalImpact],
  ...causes.map(({ text }) => text),
];

/** An answer for the model: what of it people outside wrote, the words for ratings and states, and places in the log. */
export function toToolResult(
  {
    answer,
    analysisId,
    result,
    isOfCompany,
  }: { answer: Answer; analysisId: number | null; result: AnalysisResult | null; isOfCompany: boolean },
  userAgentId: number,
): ToolResult {
  const { text } = answer;
  const words = (all: readonly string[]) => all.filter((one) => one.length > 3 && text.includes(one));
  const listed = words(answer.outside ?? []);
  if (isFree(answer) || !result) return { text, isOk: !isFree(answer), isOfCompany, outside: listed };
  const ids = new Set(text.split(/[\s,:;“”()]+/));
  const heads = new Set([...text.matchAll(/^(?:• )?([^\s:]+): /gm)].map(([, id = '']) => id));
  const hazards = result.existingHazards.filter(({ id }) => ids.has(id));
  const tickets = result.tickets.filter(({ key }) => ids.has(key));
  const outside = [...hazards.flatMap(wordsOf), ...tickets.map(({ summary }) => summary)];
  return {
    text,
    isOfCompany,
    sources: [
      ...hazards
        .filter(({ id }) => heads.has(id))
        .map(({ id, rows }) => ({
          label: `${id}, “${rows.sheet}” row ${rows.first}`,
          url: pathOfId(userAgentId, 'hazards', id, analysisId),
        })),
      ...tickets
        .filter(({ key }) => heads.has(key))
        .map(({ key }) => ({ label: key, url: pathOfId(userAgentId, 'tickets', key, analysisId) })),
    ],
    outside: [...new Set([...words(outside), ...listed])],
    terms: readTerms(result),
    sides: BEFORE_AND_AFTER,
  };
}
