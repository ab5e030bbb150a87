import type { QuestionRows } from '../../../models/contracts/questionRows.ts';

/** The column headings of a review. A kind without grades has no column for them. */
export function ReviewHead({ headings }: Pick<QuestionRows, 'headings'>) {
  return (
    <thead>
      <tr>
        <th scope="col">{headings.row}</th>
        <th scope="col">{headings.quotes}</th>
        {headings.grade === null ? null : <th scope="col">{headings.grade}</th>}
        <th scope="col">Decision</th>
      </tr>
    </thead>
  );
}
