import { Tabs } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { isWorking } from '../../../models/contracts/catalogue.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { webAgent } from '../../agents/index.ts';
import { useAgent } from '../../data/agents.ts';
import { dateOf } from '../../data/words.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { LetGo } from './LetGo.tsx';
import { TaskPanel } from './TaskPanel.tsx';
import { ToolsTab } from './ToolsTab.tsx';
import { WorkList } from './WorkList.tsx';
import classes from './WorkspacePage.module.css';

const InboxDialog = lazy(async () => ({ default: (await import('../../parts/inbox/InboxDialog.tsx')).InboxDialog }));

export type AgentTab = 'overview' | 'workspace' | 'tools';

/** One hired agent, with its three tabs and its inbox. */
export function AgentCard({
  agent: listed,
  user,
  opening,
}: {
  agent: UserAgent;
  user: SessionUser;
  opening: AgentTab;
}) {
  // The list polls every 3 seconds, the agent's own record every 2.
  const agent = useAgent(listed.id).data ?? listed;
  const [tab, setTab] = useState<string | null>(opening);
  const [inbox, setInbox] = useState(false);
  useEffect(() => setTab(opening), [opening]);
  const waiting = agent.pendingInterrupts;
  const own = webAgent(agent.agentId);
  const heading = `agent-${agent.id}-name`;
  return (
    <article id={`agent-${agent.id}`} className={`card ${classes.agent}`} aria-labelledby={heading}>
      <div className={classes.agentHead}>
        <Monogram agentId={agent.agentId} size={40} />
        <div className={classes.agentName}>
          <h2 id={heading}>{agent.role}</h2>
          <p className="soft small">
            {agent.displayName}
            <Tag tone={agent.status === 'onboarded' ? 'done' : 'plain'}>{agent.status}</Tag>
            {isWorking(agent.agentId) ? null : <Tag tone="outline">In preparation</Tag>}
            {agent.working ? <Tag tone="accent">Working</Tag> : null}
          </p>
        </div>
        <button
          type="button"
          className={classes.bell}
          aria-label={
            waiting === 0 ? `Inbox of ${agent.displayName}` : `Inbox of ${agent.displayName}, ${waiting} waiting`
          }
          onClick={() => setInbox(true)}
        >
          <IconBell size={20} stroke={1.6} aria-hidden />
          {waiting > 0 ? (
            <span className={classes.badge}>{waiting > LIMITS.badgeMax ? `${LIMITS.badgeMax}+` : waiting}</span>
          ) : null}
        </button>
      </div>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="workspace">Workspace</Tabs.Tab>
          <Tabs.Tab value="tools">Tools</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview" className={classes.panel}>
          <dl className={classes.facts}>
            <div>
              <dt>Hired</dt>
              <dd>{dateOf(agent.hiredAt, user.timeZone)}</dd>
            </div>
            <div>
              <dt>Onboarded</dt>
              <dd>{agent.onboardedAt ? dateOf(agent.onboardedAt, user.timeZone) : 'Not yet'}</dd>
            </div>
            <div>
              <dt>Status</dt>
              <dd>{agent.status === 'onboarded' ? 'Active team member' : 'Ready to onboard'}</dd>
            </div>
            <div>
              <dt>Waiting for you</dt>
              <dd className="figures">{agent.waitingForYou}</dd>
            </div>
          </dl>
          {own?.pages ? (
            <ul className={classes.pages} aria-label={`About ${agent.displayName}`}>
              {own.pages.map(({ path, title }) => (
                <li key={path}>
                  <Link to={`/agents/${own.id}/${path}`}>{title}</Link>
                </li>
              ))}
            </ul>
          ) : null}
          {user.roles.includes('owner') || agent.userId === user.id ? <LetGo agent={agent} /> : null}
        </Tabs.Panel>
        <Tabs.Panel value="workspace" className={classes.panel}>
          <div className={classes.stack}>
            {isWorking(agent.agentId) ? null : (
              <Callout tone="plain" title={`${agent.displayName}’s work is in preparation`}>
                Nothing can be started here yet, and nothing costs credits. What you type is kept.
              </Callout>
            )}
            {own?.Panel ? (
              <Suspense fallback={<Skeleton lines={5} />}>
                <own.Panel agent={agent} user={user} />
              </Suspense>
            ) : null}
            <WorkList agent={agent} timeZone={user.timeZone} />
            {agent.status === 'onboarded' && !own?.hasOwnTasks ? <TaskPanel agent={agent} /> : null}
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="tools" className={classes.panel}>
          <ToolsTab agent={agent} isOwner={user.roles.includes('owner')} />
        </Tabs.Panel>
      </Tabs>
      {inbox ? (
        <Suspense fallback={null}>
          <InboxDialog agents={[agent]} onClose={() => setInbox(false)} />
        </Suspense>
      ) : null}
    </article>
  );
}
