import { jest } from '@jest/globals';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { Run } from '../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../models/store/context.ts';
import { eventually } from './person.ts';

/**
 * Holds back every write that records an answered review.
 * @returns a function that releases them, and one that waits until a merge that was asked for since executes
 */
export function holdRecording(): { release(): void; mergeToBegin(): Promise<unknown> } {
  const since = new Date();
  let open = () => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  const store = HazardAnalysis.updateOne.bind(HazardAnalysis) as (...given: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(HazardAnalysis, 'updateOne').mockImplementation(((...given: unknown[]) => {
    const change = given[1] as { $set?: { decidedBy?: unknown } };
    return change.$set?.decidedBy ? held.then(() => store(...given)) : store(...given);
  }) as never);
  const begun = { workflow: 'hazard-merge', status: 'ready' as const, createdAt: { $gte: since } };
  return {
    release() {
      spy.mockRestore();
      open();
    },
    mergeToBegin: () => eventually(() => dangerouslyRunInEveryAccount(() => Run.exists(begun)), 'a merge to begin'),
  };
}
