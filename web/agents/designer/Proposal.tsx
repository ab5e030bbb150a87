import type { DesignProposal } from '../../../models/contracts/designer/design.ts';
import { count } from '../../data/words.ts';
import classes from './Designer.module.css';

/** A proposal: the sections of a layout, or the components. */
export function Proposal({ proposal, part }: { proposal: DesignProposal; part: 'layout' | 'components' }) {
  const { layout, components, description } = proposal;
  const items =
    part === 'layout'
      ? layout.sections.map(({ name, purpose }) => ({ name, text: purpose }))
      : components.map(({ name, type }) => ({ name, text: type }));
  return (
    <section className={classes.proposal} aria-label={part === 'layout' ? 'Proposed layout' : 'Proposed components'}>
      <h3>{part === 'layout' ? `Layout: ${layout.layout}` : count(components.length, 'component')}</h3>
      <p className="soft">{description}</p>
      <ul>
        {items.map(({ name, text }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="soft">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
