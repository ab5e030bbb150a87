type Taken = { testFilePath: string; perfStats: { start: number; end: number }; processor?: number };

export function readDurations(file?: string): Record<string, number>;

export default class Slowest {
  constructor(config: { rootDir: string }, options?: { durations?: string });
  onRunComplete(contexts: unknown, results: { testResults: Taken[] }): void;
  getLastError(): Error | undefined;
}
