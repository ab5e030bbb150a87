export function isToRepeat(failed: unknown[], config: { ci: boolean }): boolean;
