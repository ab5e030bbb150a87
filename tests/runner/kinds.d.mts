export function environmentOf(path: string): string;
export function isAlone(path: string): boolean;
