import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { type IntegrationState, integrationIdOf } from '../../../models/contracts/integrations.ts';
import { type CatalogueTool, findTool, toolStatus } from '../../../models/contracts/tools.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { useIntegrations } from '../../data/integrations.ts';
import { Tag } from '../../parts/Tag.tsx';
import classes from './WorkspacePage.module.css';

/** Status text of a tool's connection (docs/spec-coverage.md, S2 section 4). */
function connectionText(tool: CatalogueTool, state: IntegrationState | undefined, on: boolean): string {
  if (tool.kind === 'none') return 'Not configured';
  if (toolStatus(tool.id) === 'in-preparation' && !state?.configured) return 'In preparation';
  if (tool.kind === 'engine') return on ? 'Built in, on' : 'Built in, off';
  if (!state?.configured) return 'Not configured';
  return state.authenticated ? 'Connected & Available' : 'Needs connection';
}

/** The agent's tools. Connections belong to the whole company, so they are configured elsewhere. */
export function ToolsTab({ agent }: { agent: UserAgent }) {
  const { data: states } = useIntegrations(true);
  const ids = [...new Set([...(findAgent(agent.agentId)?.defaultTools ?? []), ...agent.tools.map((tool) => tool.id)])];
  const tools = ids.map((id) => findTool(id)).filter((tool): tool is CatalogueTool => Boolean(tool));
  if (tools.length === 0) return <p className="soft">This agent uses no tools.</p>;
  return (
    <ul className={classes.tools}>
      {tools.map((tool) => {
        const on = agent.tools.find((it) => it.id === tool.id)?.enabled ?? false;
        return (
          <li key={tool.id} className={classes.tool}>
            <div>
              <h3>{tool.name}</h3>
              <p className="soft small">
                {tool.description}. {connectionText(tool, states?.[integrationIdOf(tool.id)], on)}
              </p>
            </div>
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
        );
      })}
    </ul>
  );
}
