import { describe, expect, jest, test } from '@jest/globals';
import { tryRevoke } from '../../../bot/engine/grants/tryRevoke.ts';
import { logger } from '../../../models/logger.ts';

const about = { account: 7, service: 'things' };

describe('revoking at a provider', () => {
  test('is confirmed when the provider answers', async () => {
    expect(await tryRevoke(async () => {}, about)).toBe(true);
  });

  test('ends when its time is over, tells the call, and is logged', async () => {
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => {});
    let given: AbortSignal | undefined;
    const never = (signal: AbortSignal) => {
      given = signal;
      return new Promise<void>(() => {});
    };
    // The limit alone does not keep the process alive.
    const awake = setInterval(() => {}, 1000);
    expect(await tryRevoke(never, about, 20)).toBe(false);
    clearInterval(awake);
    expect(given?.aborted).toBe(true);
    expect(warn.mock.calls).toEqual([[expect.objectContaining(about), 'a provider did not revoke the access']]);
  });
});
