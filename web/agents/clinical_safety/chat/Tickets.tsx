import { Button } from '@mantine/core';
import type { ConnectorCard } from '../../../../models/contracts/connectorCard.ts';
import { CONNECTORS } from '../../../../models/contracts/connectors.ts';
import { textOf } from '../../../data/call.ts';
import { send } from '../../../data/chat.ts';
import { useIntegrations } from '../../../data/integrations.ts';
import { showFailure } from '../../../data/toasts.ts';
import { count, momentOf } from '../../../data/words.ts';
import type { FilesProps } from '../../agent.ts';

const trackers = CONNECTORS.filter(({ tickets }: ConnectorCard) => tickets);

/** The tickets that an analysis would read: what they came from, and a button that reads them from a tracker. */
export function Tickets({
  name,
  source,
  isOffered,
  isWorking,
}: {
  name: string;
  source: FilesProps['sources'][string] | null;
  /** Whether trackers are offered: there are no tickets yet. */
  isOffered: boolean;
  isWorking: boolean;
}) {
  const { data: states } = useIntegrations(true);
  const isOn = (id: string) => Boolean(states?.[id]?.authenticated && states[id]?.enabled);
  const read = (tracker: string) =>
    send(`Read the tickets from ${tracker}`).catch((error: unknown) =>
      showFailure('The tickets were not read', textOf(error, 'Nothing was changed. Please try again.')),
    );
  const button = (label: string, tracker: string) => (
    <Button key={tracker} size="compact-sm" variant="default" mt={6} disabled={isWorking} onClick={() => read(tracker)}>
      {label}
    </Button>
  );
  if (source) {
    return (
      <>
        <p className="soft small">
          {source.name}: {source.query}, {count(source.count, 'ticket')}, read {momentOf(source.syncedAt)}.
        </p>
        {isOn(source.service) ? button('Read again', source.name) : null}
      </>
    );
  }
  return (
    <>
      <p className="soft small">{name}</p>
      {isOffered ? trackers.filter(({ id }) => isOn(id)).map((it) => button(`Read from ${it.name}`, it.name)) : null}
    </>
  );
}
