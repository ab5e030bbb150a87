import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AGENT_IDS, isAgentId } from '../../../models/contracts/catalogueAgent.ts';
import { CHANNEL_NAMES, calledInSentence } from '../../../models/contracts/channels.ts';
import type { AgentBudget, UsedBy, UseGroup, UsePeriod } from '../../../models/contracts/creditUse.ts';
import { stampText } from '../../../models/contracts/zonedText.ts';
import { LedgerEntry, type LedgerEntryRow } from '../../../models/ledgerEntry.ts';
import { readUsedInMonth } from '../credits/credits.ts';
import { csvText } from '../files/csvText.ts';
import { readAccountSettings } from './accountSettings.ts';
import { monthIn } from './budgets.ts';
import { readHiredAgents } from './hiredAgents.ts';
import { memberName, readMembers } from './members.ts';
import { readTimeZone } from './timeZone.ts';

/** Ledger rows read at once. */
const BATCH = 2000;
const DAY_MS = 86_400_000;

/** The rows of a period, oldest first, in batches. */
async function* readRows(accountId: number, days: UsePeriod, now: Date): AsyncGenerator<LedgerEntryRow[]> {
  const since = new Date(now.getTime() - Number(days) * DAY_MS);
  for (let after = 0, size = BATCH; size === BATCH; ) {
    const rows = await LedgerEntry.find({ accountId, seq: { $gt: after }, createdAt: { $gte: since } })
      .sort({ seq: 1 })
      .limit(BATCH)
      .lean();
    size = rows.length;
    after = rows.at(-1)?.seq ?? after;
    yield rows;
  }
}

/** One piece of work: what it used, and for whom. */
type Work = Record<UseGroup, string | null> & { used: number };

/** The work of a period, by run. A reservation of an earlier period leaves only its refund here, and counts as nothing. */
async function readWork(accountId: number, days: UsePeriod, now: Date): Promise<Work[]> {
  const byRun = new Map<string, Work>();
  for await (const rows of readRows(accountId, days, now))
    for (const { kind, runId, amount, agentId, channel, userId, model } of rows) {
      if (kind === 'grant' || runId === null) continue;
      const known = byRun.get(runId);
      byRun.set(runId, {
        agent: agentId,
        channel,
        person: userId == null ? null : String(userId),
        model: model ?? known?.model ?? null,
        used: (known?.used ?? 0) - amount,
      });
    }
  return [...byRun.values()].filter(({ used }) => used > 0);
}

type Names = Record<UseGroup, (id: string | null) => string>;

/** Names of agents, people, channels and models, as people read them. */
async function readNames(accountId: number): Promise<Names> {
  const { members } = await readMembers(accountId);
  const people = new Map(members.map((member) => [String(member.userId), memberName(member)]));
  const channels: Record<string, string> = {
    ...Object.fromEntries(CHANNEL_NAMES.map((name) => [name, calledInSentence(name)])),
    api: 'Workspace',
  };
  return {
    agent: (id) => (isAgentId(id) ? (findAgent(id)?.displayName ?? id) : 'None'),
    person: (id) => (id === null ? 'Schedules' : (people.get(id) ?? 'Somebody who left')),
    channel: (id) => channels[id ?? ''] ?? 'None',
    model: (id) => id ?? 'Built-in engine',
  };
}

/** Sums work by one of its properties, the most used first. */
function sumBy(work: readonly Work[], group: UseGroup, names: Names): UsedBy[] {
  const sums = new Map<string | null, UsedBy>();
  for (const one of work) {
    const id = one[group];
    const sum = sums.get(id) ?? { id, name: names[group](id), used: 0, runs: 0 };
    sums.set(id, { ...sum, used: sum.used + one.used, runs: sum.runs + 1 });
  }
  return [...sums.values()].sort((one, other) => other.used - one.used || one.name.localeCompare(other.name));
}

/** What the company has used in a period, by agent, person, channel and model, and the budgets of the month. */
export async function readUse(accountId: number, days: UsePeriod, now = new Date()) {
  const [work, names, timeZone, budgets] = await Promise.all([
    readWork(accountId, days, now),
    readNames(accountId),
    readTimeZone(accountId),
    readBudgets(accountId, now),
  ]);
  return {
    by: {
      agent: sumBy(work, 'agent', names),
      person: sumBy(work, 'person', names),
      channel: sumBy(work, 'channel', names),
      model: sumBy(work, 'model', names),
    },
    month: monthIn(now, timeZone),
    budgets,
  };
}

/** The budget of each hired agent, and of those let go that still have one. */
async function readBudgets(accountId: number, now: Date): Promise<AgentBudget[]> {
  const [hired, settings, timeZone] = await Promise.all([
    readHiredAgents(accountId),
    readAccountSettings(accountId),
    readTimeZone(accountId),
  ]);
  const ids = new Set([...hired.map(({ agentId }) => agentId), ...Object.keys(settings?.budgets ?? {})]);
  return Promise.all(
    AGENT_IDS.filter((agentId) => ids.has(agentId)).map(async (agentId) => ({
      agentId,
      name: findAgent(agentId)?.displayName ?? agentId,
      usedThisMonth: await readUsedInMonth(accountId, agentId, monthIn(now, timeZone)),
      budget: settings?.budgets?.[agentId] ?? null,
    })),
  );
}

const HEAD = ['When', 'What', 'Agent', 'Person', 'Channel', 'Model', 'Credits', 'Balance after'];

/** Every movement of a period as CSV, oldest first, with times in the company's zone. */
export async function writeUse(accountId: number, days: UsePeriod, now = new Date()): Promise<string> {
  const [names, timeZone] = await Promise.all([readNames(accountId), readTimeZone(accountId)]);
  const lines: (string | number)[][] = [HEAD];
  for await (const rows of readRows(accountId, days, now))
    for (const { createdAt, note, kind, agentId, userId, channel, model, amount, balanceAfter } of rows) {
      const isWork = kind !== 'grant';
      lines.push([
        stampText(createdAt, timeZone),
        note,
        isWork ? names.agent(agentId) : '',
        isWork ? names.person(userId == null ? null : String(userId)) : '',
        isWork ? names.channel(channel) : '',
        kind === 'settle' ? names.model(model ?? null) : '',
        amount,
        balanceAfter,
      ]);
    }
  return csvText(lines);
}
