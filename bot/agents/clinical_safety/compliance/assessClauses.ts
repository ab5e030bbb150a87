import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { counted } from '../counted.ts';
import { LOOKED_FOR } from './clauseEvidence.ts';
import { CLAUSE_ROWS, isOfClause } from './clauseRows.ts';
import type { AssessedClause, ComplianceInput, Standing } from './complianceInput.ts';

/** At most this many titles of findings stand in a cell; the rest is counted. */
const MAX_TITLES = 5;

const LEVELS = { fix: 'to fix', check: 'to check' } as const;

/** Lines for the open findings of a clause: how many of each level, with the first titles. */
function describeFindings(findings: readonly Finding[]): string[] {
  return (['fix', 'check'] as const).flatMap((level) => {
    const of = findings.filter((finding) => finding.level === level);
    if (of.length === 0) return [];
    const titles = of.slice(0, MAX_TITLES).map(({ title }) => title);
    const rest = of.length > MAX_TITLES ? ` And ${of.length - MAX_TITLES} more.` : '';
    return [`${counted(of.length, 'finding')} ${LEVELS[level]}: ${titles.join('; ')}.${rest}`];
  });
}

function standingOf(found: readonly string[], missing: readonly string[]): Standing {
  if (found.length > 0) return missing.length > 0 ? 'part' : 'found';
  return missing.length > 0 ? 'nothing' : 'person';
}

/**
 * What Arc holds for each clause of DCB0129, and what it did not find. Whether a clause is met, only the Clinical Safety
 * Officer says.
 */
export function assessClauses(input: ComplianceInput): AssessedClause[] {
  const accepted = new Set(input.accepted);
  return CLAUSE_ROWS.map((row) => {
    const looked = (LOOKED_FOR[row.clause] ?? []).map((look) => look(input));
    const findings = input.result.findings.filter(({ clause }) => isOfClause(clause, row.clause));
    const settled = findings.filter(({ id, level }) => level !== 'note' && accepted.has(id)).length;
    const found = [
      ...looked.flatMap((it) => it.found ?? []),
      ...(settled > 0
        ? [
            `${counted(settled, 'finding was', 'findings were')} accepted with a reason: see the evidence pack of the analysis.`,
          ]
        : []),
    ];
    const missing = [
      ...looked.flatMap((it) => it.missing ?? []),
      ...describeFindings(findings.filter(({ id }) => !accepted.has(id))),
    ];
    return { ...row, standing: standingOf(found, missing), found: [...new Set(found)], missing: [...new Set(missing)] };
  });
}

/** Counts clauses by standing. */
export function countStandings(clauses: readonly AssessedClause[]): Record<Standing, number> {
  const counts: Record<Standing, number> = { found: 0, part: 0, nothing: 0, person: 0 };
  for (const { standing } of clauses) counts[standing] += 1;
  return counts;
}
