import type { Channel } from '../../bot/engine/delivery/channel.ts';

/** A platform that writes down what it is asked to do, and does it unless it is told to refuse. */
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
    /** Refuses everything from now on, with what is given; null for no more. */
    /** Refuses with an error of its own, or with one that says more; null refuses no longer. */
    refuse(more: Error | object | null) {
      refusal = more;
    },
  };
}
