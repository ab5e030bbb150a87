import type { Failure } from '../../../models/contracts/admin.ts';
import { count, momentOf } from '../../data/words.ts';
import type { Column } from '../../parts/table/SortableTable.tsx';
import { companyColumn } from './companyColumn.tsx';

/** What failed, where, in which company, and why. */
export const FAILURE_COLUMNS: Column<Failure>[] = [
  { id: 'at', header: 'When', width: '170px', sort: ({ at }) => at, cell: ({ at }) => momentOf(at) },
  companyColumn,
  { id: 'what', header: 'What', sort: ({ what }) => what, cell: ({ what }) => what },
  { id: 'where', header: 'Where', width: '110px', sort: ({ where }) => where, cell: ({ where }) => where },
  {
    id: 'reason',
    header: 'Last error',
    cell: ({ reason, attempts }) => (
      <span>
        {reason}
        {attempts > 0 ? <span className="soft small"> After {count(attempts, 'attempt')}.</span> : null}
      </span>
    ),
  },
];
