export function watchStandstill(now?: () => number): {
  check(): void;
  since(moment: number): number;
  stop(): void;
};
export function isToRepeat(result: { numFailingTests: number; testExecError?: unknown }, stoodStill: number): boolean;
