import type { Channel } from '../../bot/engine/delivery/channel.ts';

/** A channel that records every call and succeeds, unless the test makes it fail. */
export function makeChannel(overrides: Partial<Channel> = {}) {
  const calls: { what: string; id: unknown; at: string | null }[] = [];
  let refusal: object | null = null;
  const note = (what: string, id: unknown, at: string | null) => {
    calls.push({ what, id, at });
    if (refusal) throw refusal instanceof Error ? refusal : Object.assign(new Error('refused'), refusal);
  };
  const channel: Channel = {
    name: 'slack',
    surfaces: ['slack'],
    boards: ['slack-home'],
    remote: true,
    async say({ address }, { text }) {
      note('say', text, address.conversation);
      return { ts: text };
    },
    progress: () => undefined,
    async ask({ id }, { surface }) {
      note('ask', id, surface);
      return { asked: id };
    },
    async redraw({ id, status }, { surface }) {
      note(`redraw ${status}`, id, surface);
    },
    async perform({ address }, given, { reference, keep }) {
      await keep({ ...reference, begun: true });
      note('perform', given, address.conversation);
      return null;
    },
    givenUpText: (given, reference) => `Given up ${JSON.stringify(given)} at ${JSON.stringify(reference)}`,
    ...overrides,
  };
  return {
    channel,
    calls,
    /** Makes every call fail with this error, or with an error that has these properties; `null` ends that. */
    refuse(more: Error | object | null) {
      refusal = more;
    },
  };
}
