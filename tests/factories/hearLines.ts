import { jest } from '@jest/globals';
import { stdSerializers } from 'pino';
import { logger } from '../../models/logger.ts';

/** Everything that is logged from now on, a text each, as it would be written; until the mocks are restored. */
export function hearLines(): string[] {
  const lines: string[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    jest.spyOn(logger, level).mockImplementation(((...said: unknown[]) => {
      const plain = said.map((one) =>
        typeof one === 'object' && one !== null && 'err' in one
          ? { ...one, err: stdSerializers.err(one.err as Error) }
          : one,
      );
      lines.push(JSON.stringify(plain));
    }) as never);
  return lines;
}
