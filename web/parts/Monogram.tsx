import { findAgent } from '../../models/contracts/catalogue.ts';
import classes from './Monogram.module.css';

/** An agent's two letters on its gradient. */
export function Monogram({ agentId, size = 36 }: { agentId: string | null; size?: number }) {
  const agent = agentId ? findAgent(agentId) : undefined;
  const [from, to] = agent?.gradient ?? ['#4c4741', '#6a645b'];
  return (
    <span
      className={classes.monogram}
      aria-hidden
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.36),
        backgroundImage: `linear-gradient(145deg, ${from}, ${to})`,
      }}
    >
      {agent?.monogram ?? 'A'}
    </span>
  );
}
