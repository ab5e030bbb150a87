import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { type IntegrationState, integrationIdOf } from '../../../models/contracts/integrations.ts';
import { type CatalogueTool, findTool, toolStatus } from '../../../models/contracts/tools.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { onboard } from '../../data/agents.ts';
import { textOf } from '../../data/call.ts';
import { useIntegrations } from '../../data/integrations.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import classes from '../../parts/agents/WorkPanel.module.css';
import { Tag } from '../../parts/Tag.tsx';
import { AgentActions } from './AgentActions.tsx';

/** Connection status of a tool (docs/spec-coverage.md, S2 section 4). */
function connectionText(tool: CatalogueTool, state: IntegrationState | undefined, on: boolean): string {
  if (tool.kind === 'none') return 'Not configured';
  if (toolStatus(tool.id) === 'in-preparation' && !state?.configured) return 'In preparation';
  if (tool.kind === 'engine') return on ? 'Built in, on' : 'Built in, off';
  if (!state?.configured) return 'Not configured';
  return state.authenticated ? 'Connected & Available' : 'Needs connection';
}

/** The agent's tools: built-in ones with a switch, and connections, which belong to the whole company. */
export function ToolsTab({ agent, isOwner }: { agent: UserAgent; isOwner: boolean }) {
  const { data: states } = useIntegrations(true);
  const [changing, setChanging] = useState<string | null>(null);
  const ids = [...new Set([...(findAgent(agent.agentId)?.defaultTools ?? []), ...agent.tools.map((tool) => tool.id)])];
  const tools = ids.map((id) => findTool(id)).filter((tool): tool is CatalogueTool => Boolean(tool));
  if (tools.length === 0) return <p className="soft">This agent uses no tools.</p>;

  const isOn = (id: string) => agent.tools.find((tool) => tool.id === id)?.enabled ?? false;
  const change = async (tool: CatalogueTool, on: boolean) => {
    setChanging(tool.id);
    try {
      const enabled = ids.filter((id) => (id === tool.id ? on : isOn(id)));
      await onboard(agent.agentId, enabled);
      showToast({ title: `${tool.name} is ${on ? 'on' : 'off'} for ${agent.displayName}`, tone: 'done' });
    } catch (error) {
      showFailure(`${tool.name} was not changed`, textOf(error, 'Please try again.'));
    }
    setChanging(null);
  };
  const hasSwitch = (tool: CatalogueTool) => tool.kind === 'engine' && agent.status === 'onboarded';
  return (
    <>
      {!isOwner && tools.some(hasSwitch) ? <p className="soft small">Only the owner can change tools.</p> : null}
      <ul className={classes.tools}>
        {tools.map((tool) => (
          <li key={tool.id} className={classes.tool}>
            <div>
              <h3>{tool.name}</h3>
              <p className="soft small">
                {tool.description}. {connectionText(tool, states?.[integrationIdOf(tool.id)], isOn(tool.id))}
              </p>
            </div>
            {hasSwitch(tool) ? (
              <Switch
                aria-label={`${tool.name} for ${agent.displayName}`}
                checked={isOn(tool.id)}
                disabled={!isOwner || changing !== null}
                onChange={(event) => change(tool, event.currentTarget.checked)}
              />
            ) : null}
            {tool.kind === 'connect' ? (
              <>
                <Tag>Managed globally</Tag>
                <Button
                  component={Link}
                  to="/#integrations"
                  size="xs"
                  variant="default"
                  aria-label={`Configure ${tool.name}`}
                >
                  Configure
                </Button>
              </>
            ) : null}
          </li>
        ))}
      </ul>
      <AgentActions agent={agent} isOwner={isOwner} />
    </>
  );
}
