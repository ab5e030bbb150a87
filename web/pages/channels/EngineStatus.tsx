import { grouped } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import classes from './Channels.module.css';
import { useEngineStatus } from './channelStatus.ts';
import { Fact } from './Fact.tsx';

/** Status and usage of the agent engine, which serves every channel. */
export function EngineStatus() {
  const { data, error } = useEngineStatus();
  return (
    <section className={`card ${classes.card}`}>
      <h2>Agent engine</h2>
      {error && !data ? (
        <Callout tone="error" title="The engine’s status could not be read">
          Check your connection and reload the page.
        </Callout>
      ) : !data ? (
        <Skeleton lines={2} />
      ) : (
        <>
          {data.error ? <Callout tone="error">{data.error}</Callout> : null}
          <dl className={classes.facts}>
            <Fact name="Model" value={data.model} />
            <Fact name="Active users" value={grouped(data.activeUsers)} />
            <Fact name="Users" value={grouped(data.totalUsers)} />
            <Fact name="Interactions" value={grouped(data.totalInteractions)} />
            <Fact name="Active conversations" value={grouped(data.activeConversations)} />
          </dl>
        </>
      )}
    </section>
  );
}
