import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../factories/person.ts';
import { startSlackProcess } from '../factories/slackProcess.ts';
import { type BenchRow, percentile } from './row.ts';

const RATE = 100;
const SECONDS = 5;

/** Sends events to the real server in its own process, with a fake Slack that answers at once. */
export async function benchSlack(): Promise<BenchRow[]> {
  const { workspace, sender, stop } = await startSlackProcess();
  try {
    const repliesIn = (channel: string) =>
      [...workspace.messages.values()].some((message) => message.channel === channel);
    await sender.message(workspace, 'U1', 'D0', 'help');
    await eventually(async () => repliesIn('D0'), 'the first reply');

    const replies: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      const channel = `C${index}`;
      const begun = performance.now();
      await sender.mention(workspace, 'U1', channel, 'What is the risk matrix?');
      while (!repliesIn(channel)) await wait(1);
      replies.push(performance.now() - begun);
    }
    const sent: Promise<{ milliseconds: number; status: number }>[] = [];
    for (let index = 0; index < RATE * SECONDS; index += 1) {
      // Half of the messages in a workspace are not addressed to the agent.
      const channel = index % 2 === 0 ? `D${index}` : 'C-talk';
      sent.push(sender.message(workspace, 'U1', channel, 'help'));
      await wait(1000 / RATE);
    }
    const acknowledged = (await Promise.all(sent)).map(({ milliseconds }) => milliseconds);
    // Every acknowledged message is answered before the server stops.
    await eventually(async () => repliesIn(`D${RATE * SECONDS - 2}`), 'the last reply', 60_000);
    const p99 = percentile(acknowledged, 0.99);
    const p95 = percentile(replies, 0.95);
    return [
      {
        name: `acknowledged at ${RATE} events/s, p99`,
        value: `${p99.toFixed(1)} ms`,
        limit: '< 100 ms',
        ok: p99 < 100,
      },
      {
        name: 'the slowest of them',
        value: `${Math.max(...acknowledged).toFixed(1)} ms`,
        limit: '< 1,000 ms',
        ok: Math.max(...acknowledged) < 1000,
      },
      { name: 'mention to reply, p95', value: `${p95.toFixed(1)} ms`, limit: '< 300 ms', ok: p95 < 300 },
    ];
  } finally {
    await stop();
  }
}
