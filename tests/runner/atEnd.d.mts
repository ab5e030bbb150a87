export function atEnd(end: () => Promise<void>): void;
export function endAll(): Promise<void>;
