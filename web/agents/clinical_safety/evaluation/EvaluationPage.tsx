import { marked } from 'marked';
import text from '../../../../docs/evaluation.md?raw';
import { Page } from '../../../parts/Page.tsx';
import classes from './EvaluationPage.module.css';
import { EVALUATION_TITLE } from './evaluation.ts';

// The text is the product's own and part of the build, so its HTML needs no cleaning. A table that scrolls in itself
// has to take the keyboard.
const html = marked.parse(text, { async: false }).replaceAll('<table>', '<table tabindex="0">');

/** How the clinical safety agent is measured: the method, the figures, and what being wrong does. */
export function EvaluationPage() {
  return (
    <Page title={EVALUATION_TITLE} reading>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the product's own text, see above */}
      <article className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />
    </Page>
  );
}
