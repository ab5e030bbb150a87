import { Button } from '@mantine/core';
import type { NewHazard } from '../../../models/contracts/clinical_safety/hazards.ts';
import { count } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { type Kept, outcomeText } from '../../parts/review/decisions.ts';

/** Decisions that were made without a line and came too late: the question is closed, and they are still told. */
export function LeftOver({
  rows,
  proposals,
  onDiscard,
}: {
  rows: readonly Kept[];
  proposals: readonly NewHazard[];
  onDiscard: () => void;
}) {
  if (rows.length === 0) return null;
  const nameOf = (id: string) => proposals.find((proposal) => proposal.id === id)?.proposedId ?? id;
  return (
    <Callout
      tone="waiting"
      title={`${count(rows.length, 'decision')} of yours came too late`}
      action={
        <Button size="xs" variant="default" onClick={onDiscard}>
          Remove from this device
        </Button>
      }
    >
      The question was closed before they were sent, so they do not count. They are kept on this device:{' '}
      {rows
        .map((row) => `${nameOf(row.id)} ${outcomeText(row).toLowerCase()}${row.reason ? ` (${row.reason})` : ''}`)
        .join(', ')}
      .
    </Callout>
  );
}
