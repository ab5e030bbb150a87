import type { FindingCommentRow, FindingLifeRow } from '../../../../models/clinical_safety/findingLife.ts';
import type { FindingLife } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';

const iso = (at: Date) => new Date(at).toISOString();

/** What people decided and said about a finding, as an analysis shows it. */
export function presentLife(
  finding: Finding,
  life: FindingLifeRow,
  comments: readonly FindingCommentRow[],
): FindingLife {
  const { accepted } = life;
  return {
    findingId: finding.id,
    version: life.version,
    assignee: life.assignee,
    accepted: accepted && {
      reason: accepted.reason,
      by: accepted.by.name,
      at: iso(accepted.at),
      holds: accepted.found === finding.found && accepted.expected === finding.expected,
    },
    comments: comments
      .filter(({ lifeId }) => String(lifeId) === String(life._id))
      .map(({ _id, by, at, text }) => ({ id: String(_id), by: by.name, at: iso(at), text })),
  };
}
