import classes from './Previews.module.css';

type Layout = { layout?: string; sections?: unknown[] };
type Part = { name?: string; type?: string };
type Style = { name?: string; description?: string; colors?: unknown[]; typography?: { primary?: string } };

const COMPONENTS = 4;
const SECTIONS = 3;
const COLOURS = 4;

const listOf = <Item,>(value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : []);
const nameOf = (section: unknown): string =>
  typeof section === 'string' ? section : String((section as { name?: string; type?: string }).name ?? 'Section');

/** Only addresses of ours are framed, and in a sandbox. */
const framed = (address: unknown): string | null =>
  typeof address === 'string' && address.startsWith('/api/replit/preview/') ? address : null;

/** What a question shows of a design or a project, a few of each and how many more there are. */
export function Previews({ context }: { context: Record<string, unknown> }) {
  const layout = context.layout_spec as Layout | undefined;
  const components = listOf<Part>(context.components);
  const styles = listOf<Style>(context.style_options);
  const address = framed(context.iframeUrl ?? context.hostedUrl);
  const sections = listOf<unknown>(layout?.sections);
  if (!layout && components.length === 0 && styles.length === 0 && !address) return null;
  return (
    <div className={classes.previews}>
      {layout ? (
        <p>
          <span className="soft">Layout </span>
          {layout.layout ?? 'proposed'}
          {sections.length > 0 ? `: ${sections.slice(0, SECTIONS).map(nameOf).join(', ')}` : ''}
          {sections.length > SECTIONS ? ` +${sections.length - SECTIONS} more` : ''}
        </p>
      ) : null}
      {components.length > 0 ? (
        <ul className={classes.parts}>
          {components.slice(0, COMPONENTS).map((part) => (
            <li key={`${part.name} ${part.type}`}>
              {part.name} <span className="soft">{part.type}</span>
            </li>
          ))}
          {components.length > COMPONENTS ? <li className="soft">+{components.length - COMPONENTS} more</li> : null}
        </ul>
      ) : null}
      {styles.map((style) => (
        <div key={style.name} className={classes.style}>
          <strong>{style.name}</strong>
          <span className="soft">
            {style.description}
            {style.typography?.primary ? ` ${style.typography.primary}.` : ''}
          </span>
          <span className={classes.colours}>
            {listOf<unknown>(style.colors)
              .filter((colour): colour is string => typeof colour === 'string' && /^#[0-9a-f]{3,8}$/i.test(colour))
              .slice(0, COLOURS)
              .map((colour) => (
                <span key={colour} role="img" aria-label={colour} style={{ background: colour }} />
              ))}
          </span>
        </div>
      ))}
      {address ? (
        <iframe
          title="Preview of the project"
          src={address}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals"
        />
      ) : null}
    </div>
  );
}
