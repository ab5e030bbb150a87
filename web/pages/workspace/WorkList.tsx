import { IconCircleCheck, IconCircleDot, IconClock, IconLoader2, IconX } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { UserAgent, Workspace } from '../../../models/contracts/userAgents.ts';
import { useWorkspaces } from '../../data/agents.ts';
import { momentOf } from '../../data/words.ts';
import { MessageText } from '../../parts/MessageText.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import classes from './WorkspacePage.module.css';

const states: Record<Workspace['status'], { label: string; tone: TagTone; Icon: typeof IconClock }> = {
  working: { label: 'Working', tone: 'accent', Icon: IconLoader2 },
  waiting: { label: 'Waiting for you', tone: 'waiting', Icon: IconClock },
  completed: { label: 'Completed', tone: 'done', Icon: IconCircleCheck },
  failed: { label: 'Failed', tone: 'error', Icon: IconX },
  cancelled: { label: 'Cancelled', tone: 'plain', Icon: IconCircleDot },
};

/** The agent's runs, newest first. */
export function WorkList({ agent, timeZone }: { agent: UserAgent; timeZone: string }) {
  const { data, error } = useWorkspaces(agent.id);
  if (error && !data)
    return (
      <Callout tone="error" title="The list of work could not be loaded">
        Check your connection and reload the page.
      </Callout>
    );
  if (!data) return <Skeleton lines={2} />;
  return (
    <section>
      <h3 style={{ marginBottom: 8 }}>Work</h3>
      {data.length === 0 ? (
        <p className="soft">{agent.displayName} has not worked on anything yet.</p>
      ) : (
        <ol className={classes.works} aria-label="Runs, newest first">
          {data.map((work) => {
            const { label, tone, Icon } = states[work.status];
            return (
              <li key={work.id}>
                <Icon size={16} aria-hidden />
                <div>
                  {work.goal}
                  {work.output ? (
                    <div className="soft">
                      <MessageText text={work.output} />
                    </div>
                  ) : null}
                  <p className="soft small">
                    {momentOf(work.createdAt, timeZone)}
                    {work.page ? (
                      <>
                        {' · '}
                        <Link to={work.page}>
                          Open the result<span className="hidden-label"> of {work.goal}</span>
                        </Link>
                      </>
                    ) : null}
                  </p>
                </div>
                <Tag tone={tone}>{label}</Tag>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
