export function readDurations(): Record<string, number>;
