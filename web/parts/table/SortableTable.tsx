import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { usePrinting } from '../../data/printing.ts';
import classes from './SortableTable.module.css';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Sort key; without it the column can't be sorted. */
  sort?: (row: Row) => string | number;
  align?: 'right';
  width?: string;
};

const ROWS_PER_STEP = 100;

/** A table with a sticky head and sortable columns. Shows 100 rows first, then 500 more at a time. */
export function SortableTable<Row>({
  rows,
  columns,
  keyOf,
  label,
  empty,
}: {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  label: string;
  empty: string;
}) {
  const [order, setOrder] = useState<{ id: string; down: boolean } | null>(null);
  const [drawn, setShown] = useState(ROWS_PER_STEP);
  const shown = usePrinting() ? rows.length : drawn;
  const by = columns.find((column) => column.id === order?.id)?.sort;
  const sorted = by
    ? [...rows].sort((one, other) => {
        const [a, b] = [by(one), by(other)];
        const way = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
        return order?.down ? -way : way;
      })
    : rows;
  if (rows.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.frame} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => {
              const on = order?.id === column.id;
              return (
                <th
                  key={column.id}
                  scope="col"
                  data-align={column.align}
                  style={{ width: column.width }}
                  aria-sort={on ? (order.down ? 'descending' : 'ascending') : undefined}
                >
                  {column.sort ? (
                    <button type="button" onClick={() => setOrder(nextOrder(order, column.id))}>
                      {column.header}
                      {on ? (
                        order.down ? (
                          <IconArrowDown size={12} aria-hidden />
                        ) : (
                          <IconArrowUp size={12} aria-hidden />
                        )
                      ) : null}
                    </button>
                  ) : (
                    column.header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.id} data-align={column.align} data-label={column.header}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown ? (
        <button type="button" className={classes.more} onClick={() => setShown(shown + ROWS_PER_STEP * 5)}>
          {shown} of {sorted.length} shown. Show more
        </button>
      ) : null}
    </section>
  );
}

function nextOrder(order: { id: string; down: boolean } | null, id: string) {
  if (order?.id !== id) return { id, down: false };
  return order.down ? null : { id, down: true };
}

/** Compares texts with numbers by value: NRL2 before NRL11. */
function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en-GB', { numeric: true });
}
