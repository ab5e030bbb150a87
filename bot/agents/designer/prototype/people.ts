/** A fictional person, with an NHS number from the range reserved for tests (999). */
export type Person = { name: string; born: string; age: number; nhsNumber: string };

export const PEOPLE: readonly [Person, ...Person[]] = [
  { name: 'HASSAN, Amira (Ms)', born: '14-Mar-1978', age: 48, nhsNumber: '999 123 4578' },
  { name: 'BARNES, Thomas (Mr)', born: '02-Nov-1951', age: 75, nhsNumber: '999 234 5675' },
  { name: 'OKORO, Grace (Mrs)', born: '27-Aug-1990', age: 36, nhsNumber: '999 345 6780' },
  { name: 'LEWIS, Huw (Mr)', born: '19-Jan-2009', age: 17, nhsNumber: '999 456 7810' },
];
