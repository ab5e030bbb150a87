import type { ReactNode } from 'react';
import { Page } from '../../parts/Page.tsx';
import classes from './LegalPage.module.css';

export type LegalSection = { id: string; title: string; body: ReactNode };

/** A legal text with date, table of contents and numbered sections. */
export function LegalPage({ title, updated, sections }: { title: string; updated: string; sections: LegalSection[] }) {
  return (
    <Page title={title} reading>
      <article className={classes.legal}>
        <h1>{title}</h1>
        <p className="soft">Last updated {updated}</p>
        <nav aria-label="Contents">
          <ol>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ol>
        </nav>
        {sections.map((section, at) => (
          <section key={section.id} id={section.id}>
            <h2>
              {at + 1}. {section.title}
            </h2>
            {section.body}
          </section>
        ))}
      </article>
    </Page>
  );
}
