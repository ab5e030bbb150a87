import { Button } from '@mantine/core';
import { outcomesOf, type QuestionRows } from '../../../models/contracts/questionRows.ts';
import { count } from '../../data/words.ts';
import { Callout } from '../Notice.tsx';
import { type Kept, outcomeText } from './decisions.ts';

/** Decisions made offline that were not sent before the question closed; shown so that they are not lost silently. */
export function LeftOver({
  rows,
  view,
  onDiscard,
}: {
  rows: readonly Kept[];
  view: QuestionRows;
  onDiscard: () => void;
}) {
  if (rows.length === 0) return null;
  const nameOf = (id: string) => view.rows.find((row) => row.id === id)?.name ?? id;
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
        .map(
          (row) =>
            `${nameOf(row.id)} ${outcomeText(row, outcomesOf(view)).toLowerCase()}${row.reason ? ` (${row.reason})` : ''}`,
        )
        .join(', ')}
      .
    </Callout>
  );
}
