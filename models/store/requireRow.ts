/**
 * Asserts that a row exists: it was just written or is referred to.
 * @throws where it does not, a defect
 */
export function requireRow<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row that has to be there is not.');
  return row;
}
