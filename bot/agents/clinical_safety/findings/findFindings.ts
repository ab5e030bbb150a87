import {
  type CanonicalColumn,
  type Finding,
  RATING_COLUMNS,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { PHASES } from '../reading/columnChoices.ts';
import { columnsOf, underColumns } from './assumption.ts';
import { completenessRules, controlLimitRules, missingResidual } from './completeness.ts';
import { controlRules } from './controls.ts';
import { documentRules } from './documents.ts';
import { doubtfulRules, underDoubtfulRows } from './doubtfulRows.ts';
import { formulaRules, mixesPhases } from './formulas.ts';
import { identityRules } from './identity.ts';
import { numberingRules } from './numbering.ts';
import { plausibilityRules, underImplausible, underUnreadParts } from './plausibility.ts';
import { ratingRules } from './ratings.ts';
import { residualRules } from './residual.ts';
import type { Draft, Rule, RuleContext } from './rule.ts';

/** Every rule, in the order in which findings are listed within a level. */
export const RULES: Rule[] = [
  ...plausibilityRules,
  ...ratingRules,
  ...residualRules,
  ...formulaRules,
  ...identityRules,
  ...doubtfulRules,
  ...numberingRules,
  ...documentRules,
  ...completenessRules,
  ...controlRules,
];

const IDENTITY: CanonicalColumn[] = ['id', 'name'];
/** The columns that rules read besides those of the cells that they name. */
const RESTS_ON = new Map<Rule, CanonicalColumn[]>([
  ...[...ratingRules, ...residualRules, ...formulaRules, ...controlLimitRules].map(
    (rule): [Rule, CanonicalColumn[]] => [rule, RATING_COLUMNS],
  ),
  ...[...identityRules, ...numberingRules].map((rule): [Rule, CanonicalColumn[]] => [rule, IDENTITY]),
]);

/** Rules that compare the ratings before and after controls, or judge those after. */
const ON_PHASES = new Set<Rule>([...residualRules, mixesPhases, missingResidual]);

const LEVELS: Finding['level'][] = ['fix', 'check', 'note'];

/** What a rule finds; to check where it misses what may stand in a part that was not read. */
function underMissed(context: RuleContext, rule: Rule): Draft[] {
  const found = rule.find(context);
  return rule.level === 'fix' && found.every(({ level }) => (level ?? 'fix') === 'fix')
    ? underUnreadParts(context.log, rule.name, found)
    : found;
}

/** Runs every rule over a log. Findings to fix come first, then those to check and to note. Deterministic. */
export function findFindings(context: RuleContext): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  const underDoubt = underDoubtfulRows(context.log);
  const underShape = underImplausible(context.log);
  // What may be no hazard can't be wrong for certain; the finding that says so stays as it is.
  const isFix = (draft: Draft, rule: Rule) => (draft.level ?? rule.level) === 'fix';
  const underRows = (draft: Draft, rule: Rule) => (isFix(draft, rule) ? underDoubt(draft) : draft);
  const ofShape = (draft: Draft, rule: Rule) =>
    isFix(draft, rule)
      ? underShape(draft, new Set([...columnsOf(context.log, draft), ...(RESTS_ON.get(rule) ?? [])]))
      : draft;
  const arePhasesOpen = context.log.doubts.some(({ point }) => point === PHASES);
  for (const rule of RULES.filter((one) => !(arePhasesOpen && ON_PHASES.has(one))))
    for (const found of underMissed(context, rule)) {
      // A note says something of the whole log, and stays one.
      const isNote = (found.level ?? rule.level) === 'note';
      const draft = isNote
        ? found
        : underColumns(context.log, ofShape(underRows(found, rule), rule), RESTS_ON.get(rule) ?? []);
      const base = [rule.name, draft.hazardId ?? 'log', draft.places[0]?.cell].join(':');
      let id = base;
      for (let count = 2; ids.has(id); count += 1) id = `${base}:${count}`;
      ids.add(id);
      const { level, clause, ...rest } = draft;
      findings.push({
        id,
        rule: rule.name,
        level: level ?? rule.level,
        clause: clause === undefined ? rule.clause : clause,
        ...rest,
      });
    }
  return LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level));
}
