export function buildTests(paths: string[]): Promise<string | null>;
