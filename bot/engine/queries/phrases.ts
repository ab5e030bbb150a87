/** Phrases written as one list: "owner, person responsible". */
export const phrases = (list: string): string[] => list.split(', ');
