import type { Column } from '../../parts/table/SortableTable.tsx';

/** The company that a row is about, with its id. */
export const companyColumn: Column<{ companyName: string; accountId: number }> = {
  id: 'company',
  header: 'Company',
  sort: ({ companyName }) => companyName,
  cell: ({ companyName, accountId }) => (
    <span>
      {companyName} <span className="soft small">ID: {accountId}</span>
    </span>
  ),
};
