import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { completenessRules } from './completeness.ts';
import { controlRules } from './controls.ts';
import { documentRules } from './documents.ts';
import { formulaRules } from './formulas.ts';
import { identityRules } from './identity.ts';
import { numberingRules } from './numbering.ts';
import { ratingRules } from './ratings.ts';
import { residualRules } from './residual.ts';
import type { Rule, RuleContext } from './rule.ts';

/** Every rule, in the order in which findings are listed within a level. */
export const RULES: Rule[] = [
  ...ratingRules,
  ...residualRules,
  ...formulaRules,
  ...identityRules,
  ...numberingRules,
  ...documentRules,
  ...completenessRules,
  ...controlRules,
];

const LEVELS: Finding['level'][] = ['fix', 'check', 'note'];

/** Runs every rule over a log. Findings to fix come first, then those to check and to note. Deterministic. */
export function findFindings(context: RuleContext): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  for (const rule of RULES)
    for (const draft of rule.find(context)) {
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
