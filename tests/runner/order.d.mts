type Test = { path: string; duration?: number; context: object };
export function deal<T extends Test>(
  tests: T[],
): (standing?: string) => { test: T; environment: string; alone: boolean } | undefined;
