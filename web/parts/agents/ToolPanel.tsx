import { Button, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { authorizePathOf, findConnector } from '../../../models/contracts/connectors.ts';
import { integrationIdOf } from '../../../models/contracts/integrations.ts';
import { type CatalogueTool, findTool, toolStatus } from '../../../models/contracts/tools.ts';
import { clearPendingToggle, pendingToggle, rememberToggle, useIntegrations } from '../../data/integrations.ts';
import { LazyConnectDialog } from '../connect/LazyConnectDialog.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './ToolPanel.module.css';

/** Chooses an agent's tools, the last step of its onboarding. */
export function ToolPanel({
  agent,
  busy,
  signedIn,
  onCancel,
  onComplete,
}: {
  agent: CatalogueAgent;
  busy: boolean;
  signedIn: boolean;
  onCancel: () => void;
  onComplete: (tools: string[]) => void;
}) {
  const tools = agent.defaultTools.map((id) => findTool(id)).filter((tool): tool is CatalogueTool => Boolean(tool));
  const { data: states } = useIntegrations(signedIn);
  const [chosen, setChosen] = useState(() => tools.filter((tool) => tool.kind === 'engine').map((tool) => tool.id));

  const [connecting, setConnecting] = useState<CatalogueTool | null>(null);
  const connect = (tool: CatalogueTool) => {
    rememberToggle(tool.id, agent.id);
    window.location.assign(authorizeAddress(tool.id, agent.id));
  };

  // After the return from a provider, switches on the tool that was remembered for this agent.
  useEffect(() => {
    const pending = pendingToggle();
    if (pending?.agent !== agent.id || !states?.[integrationIdOf(pending.tool)]?.authenticated) return;
    setChosen((before) => (before.includes(pending.tool) ? before : [...before, pending.tool]));
    clearPendingToggle();
  }, [agent.id, states]);

  const change = (tool: CatalogueTool, on: boolean) => {
    if (on && tool.kind === 'connect' && !states?.[integrationIdOf(tool.id)]?.authenticated) {
      setConnecting(tool);
      return;
    }
    setChosen((before) => (on ? [...before, tool.id] : before.filter((id) => id !== tool.id)));
  };

  return (
    <fieldset className={classes.panel}>
      <legend>Tools for {agent.displayName}</legend>
      {tools.length === 0 ? <p className="soft small">This agent needs no tools to begin.</p> : null}
      {tools.map((tool) => {
        const usable =
          tool.kind === 'engine' ||
          (tool.kind === 'connect' && Boolean(states?.[integrationIdOf(tool.id)]?.configured));
        return (
          <Switch
            key={tool.id}
            classNames={{ root: classes.tool, body: classes.toolBody, labelWrapper: classes.toolLabel }}
            labelPosition="left"
            label={tool.name}
            description={
              tool.kind === 'none'
                ? 'Not configured'
                : toolStatus(tool.id) === 'in-preparation'
                  ? `${tool.description}. In preparation`
                  : tool.description
            }
            checked={chosen.includes(tool.id)}
            disabled={!usable || busy}
            onChange={(event) => change(tool, event.currentTarget.checked)}
          />
        );
      })}
      <div className={classes.actions}>
        <WorkButton busy={busy} onClick={() => onComplete(chosen)}>
          Complete Onboarding
        </WorkButton>
        <Button variant="default" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <LazyConnectDialog
        card={(connecting && findConnector(connecting.id)) ?? null}
        onConnect={() => connecting && connect(connecting)}
        onCancel={() => setConnecting(null)}
      />
    </fieldset>
  );
}

/** URL that starts the connection of a tool and returns to the team tab. */
function authorizeAddress(toolId: string, agentId: string): string {
  const card = findConnector(toolId);
  const address = new URL(card ? authorizePathOf(card, toolId) : '/', window.location.href);
  address.searchParams.set('agent', agentId);
  address.searchParams.set('from', '/#team');
  return address.href;
}
