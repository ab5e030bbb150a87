import type { ViewSection } from '../../../models/contracts/questionView.ts';
import classes from './Sections.module.css';

/** A question's sections: text, items with the number of further ones, and a preview frame. */
export function Sections({ sections }: { sections: readonly ViewSection[] }) {
  if (sections.length === 0) return null;
  return (
    <div className={classes.sections}>
      {sections.map(({ heading, text, items, more, frame }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have no names and never change places
        <div key={index}>
          {heading || text ? (
            <p>
              {heading ? <span className="soft">{text ? `${heading}: ` : heading}</span> : null}
              {text}
            </p>
          ) : null}
          {items.length > 0 ? (
            <ul className={classes.items}>
              {items.map((item) => (
                <li key={item.title}>
                  <strong>{item.title}</strong>
                  {item.text ? <span className="soft">{item.text}</span> : null}
                  {item.quote ? (
                    <q cite={item.quote.source}>
                      {item.quote.text} <span className="soft">({item.quote.source})</span>
                    </q>
                  ) : null}
                  {item.colours.length > 0 ? (
                    <span className={classes.colours}>
                      {item.colours.map((colour) => (
                        <span key={colour} role="img" aria-label={colour} style={{ background: colour }} />
                      ))}
                    </span>
                  ) : null}
                </li>
              ))}
              {more > 0 ? <li className={`${classes.more} soft`}>+{more} more</li> : null}
            </ul>
          ) : null}
          {frame ? (
            <iframe
              title="Preview of the project"
              src={frame}
              sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals"
            />
          ) : null}
        </div>
      ))}
    </div>
  );
}
