/** A row that is known to be there: just written, or referred to by one that is. @throws where it is not, a defect */
export function requireRow<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row that has to be there is not.');
  return row;
}
