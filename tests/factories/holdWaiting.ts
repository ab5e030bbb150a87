import { jest } from '@jest/globals';

/** Holds back every save that sets a run to waiting. @returns a function that releases them */
export async function holdWaitingSaves(): Promise<() => void> {
  const { Run } = await import('../../models/run.ts');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store = Run.updateOne.bind(Run) as (...given: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(Run, 'updateOne').mockImplementation(((...given: unknown[]) => {
    const change = given[1] as { $set?: { status?: string } };
    return change.$set?.status === 'waiting' ? held.then(() => store(...given)) : store(...given);
  }) as never);
  return () => {
    spy.mockRestore();
    release();
  };
}
