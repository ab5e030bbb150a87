import { describeFormula } from '../objective/readFormula.ts';
import type { App } from './app.ts';
import { BASE } from './base.ts';
import { cssOf } from './css.ts';
import { SCRIPTS } from './kinds.ts';
import { sampleRows } from './samples.ts';

/** The app's own content security policy: it loads nothing, sends nothing and submits nowhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'";

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** JSON that can stand in a script element: no word of it can end the element or begin a comment. */
const asData = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const DEMONSTRATION =
  'Demonstration only. Not checked for use with patients: do not use it to decide on care, doses or treatment.';
const MADE_UP = 'The rows are made-up examples. Remove them before you use it.';

/** What a calculator works out, in words. */
const formulaText = ({ kind, formula, fields }: App): string => {
  if (kind !== 'calculator') return '';
  return formula.length > 0 ? describeFormula(formula, fields) : fields.map(({ label }) => label).join(' + ');
};

/** Renders an app as one page, without network, cookies or other files. All its words are data. */
export function renderApp(app: App): string {
  const samples = sampleRows(app);
  const notices = [...(app.isDemonstration ? [DEMONSTRATION] : []), ...(samples.length > 0 ? [MADE_UP] : [])];
  const data = { ...app, samples, formulaText: formulaText(app) };
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(app.title)}</title>
<style>${cssOf(app.colour)}</style>
</head>
<body>
<header><h1>${escaped(app.title)}</h1></header>
<main>${notices.map((notice) => `<p class="notice">${notice}</p>`).join('')}</main>
<p class="hidden" role="status" id="live"></p>
<script type="application/json" id="app">${asData(data)}</script>
<script>${BASE}${SCRIPTS[app.kind]}</script>
</body>
</html>
`;
}
