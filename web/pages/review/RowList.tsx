import { useLayoutEffect, useRef } from 'react';
import {
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
} from '../../../models/contracts/questionRows.ts';
import { outcomeText } from '../../parts/review/decisions.ts';
import classes from './ReviewDesk.module.css';

/** The rows of a review that a filter shows, each with its decision; the current one is marked. */
export function RowList({
  view,
  rows,
  shown,
  active,
  decisionOf,
  onOpen,
}: {
  view: QuestionRows;
  rows: readonly QuestionRow[];
  /** Positions of the rows to list. */
  shown: readonly number[];
  active: number;
  decisionOf: (id: string) => RowDecision | undefined;
  onOpen: (at: number) => void;
}) {
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry stays in view
  useLayoutEffect(() => {
    const frame = list.current?.getBoundingClientRect();
    const entry = list.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!list.current || !frame || !entry) return;
    // The list alone is scrolled, never the page: that would move the row from under the next key.
    list.current.scrollTop += Math.min(0, entry.top - frame.top) + Math.max(0, entry.bottom - frame.bottom);
    list.current.scrollLeft += Math.min(0, entry.left - frame.left) + Math.max(0, entry.right - frame.right);
  }, [active]);
  const [first] = view.fields;
  return (
    <nav ref={list} className={classes.list} aria-label={view.headings.row}>
      {shown.length === 0 ? (
        <p className={`soft ${classes.none}`}>No {view.noun.one} is left under this filter.</p>
      ) : null}
      <ol>
        {shown.map((at) => {
          const row = rows[at];
          if (!row) return null;
          const decision = decisionOf(row.id);
          return (
            <li key={row.id}>
              <button
                type="button"
                data-row={at}
                data-outcome={decision?.outcome}
                aria-current={at === active || undefined}
                onClick={() => onOpen(at)}
              >
                <span className={classes.entry}>
                  <span className="mono">{row.name}</span> {row.values?.[first?.name ?? ''] ?? row.title}
                </span>
                <span className={classes.outcome}>{outcomeText(decision, outcomesOf(view))}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
