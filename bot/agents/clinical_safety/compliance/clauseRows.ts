import CLAUSES from '../answers/clauses.json' with { type: 'json' };

/** A clause of DCB0129 that asks for something itself, with the section that it stands in, in our own words. */
type ClauseRow = { clause: string; section: string; asks: string };

/** The edition of the standard that the clauses are of. */
export const EDITION = `${CLAUSES.dcb0129.name} ${CLAUSES.dcb0129.edition}`;

const texts: Readonly<Record<string, string>> = CLAUSES.dcb0129.clauses;
const numbers = Object.keys(texts);
const withoutStop = (text: string) => text.replace(/[.:].*$/s, '');

/** Every clause without clauses below it, in the order of the standard. */
export const CLAUSE_ROWS: readonly ClauseRow[] = numbers
  .filter((clause) => !numbers.some((other) => other.startsWith(`${clause}.`)))
  .map((clause) => {
    const above = clause.split('.').slice(0, 2).join('.');
    return { clause, section: `${above} ${withoutStop(texts[above] ?? '')}`, asks: texts[clause] ?? '' };
  });

/** Whether a finding's clause is a row's clause, or one below it. */
export const isOfClause = (found: string | null, clause: string): boolean =>
  found === clause || (found?.startsWith(`${clause}.`) ?? false);
