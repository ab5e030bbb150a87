import { Button } from '@mantine/core';
import { useState } from 'react';
import { useToolServers } from '../../data/toolServers.ts';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { AddToolServerForm } from './AddToolServerForm.tsx';
import classes from './DashboardPage.module.css';
import own from './PreferencesTab.module.css';
import { ToolServerCard } from './ToolServerCard.tsx';

const WHERE = {
  uk: 'The administrator of this deployment allows servers in the UK.',
  'outside-uk-accepted': 'The administrator of this deployment allows servers outside the UK too.',
};

/** MCP servers whose tools the agents may use, for owners. */
export function ToolServersSection() {
  const { data, error, mutate } = useToolServers();
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={own.members} aria-labelledby="tool-servers">
      <div className={classes.sectionHead}>
        <h2 id="tool-servers">Tools of other servers</h2>
        <span className="soft">
          Servers of the Model Context Protocol whose tools your agents may use.
          {data && data.region !== 'none' ? ` ${WHERE[data.region]}` : ''}
        </span>
      </div>
      {!data ? (
        <SectionNotLoaded title="The servers could not be loaded" failed={Boolean(error)} retry={mutate} lines={2} />
      ) : (
        <>
          {data.region === 'none' ? (
            <Callout tone="plain" title="Not allowed in this deployment">
              Agents use no tools of other servers, and no data goes to any. The administrator can allow them by setting{' '}
              <span className="mono">MCP_REGION</span>.
            </Callout>
          ) : data.servers.length === 0 && !isAdding ? (
            <p className="soft">No server is allowed. Agents use Arc’s own tools only.</p>
          ) : null}
          {data.servers.map((server) => (
            <ToolServerCard key={server.id} server={server} />
          ))}
          {data.region === 'none' ? null : isAdding ? (
            <AddToolServerForm region={data.region} onClose={() => setAdding(false)} />
          ) : (
            <div className={`${own.actions} ${own.addServer}`}>
              <Button variant="default" onClick={() => setAdding(true)}>
                Allow a server
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
