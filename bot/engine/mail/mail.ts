import { escapeHtml } from './escapeHtml.ts';

/** A paragraph, a code to copy, a list, or a link. A link only opens a page, because mail scanners follow links. */
type Part = string | { code: string } | { list: readonly string[] } | { link: string; label: string };

/** A mail before it is rendered as plain text and HTML. */
export type Mail = {
  subject: string;
  parts: readonly Part[];
  /** Why this person gets the mail; stands in its footer. */
  because: string;
  /** URL of the page that stops these mails. It also accepts one-click requests of mail programs (RFC 8058). */
  unsubscribe?: string;
};

const FOOT = 'Arc';

function lineOf(part: Part): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return part.code;
  if ('list' in part) return part.list.map((item) => `- ${item}`).join('\n');
  return `${part.label}: ${part.link}`;
}

/** Renders a mail as plain text. */
export function writeText({ parts, because, unsubscribe }: Mail): string {
  const stop = unsubscribe ? [`Stop these mails: ${unsubscribe}`] : [];
  return [...parts.map(lineOf), ['--', FOOT, because, ...stop].join('\n')].join('\n\n');
}

function htmlOf(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('code' in part) return `<p class="code">${escapeHtml(part.code)}</p>`;
  if ('list' in part) return `<ul>${part.list.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
  return `<p><a class="button" href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
}

/** Declares both colour schemes, so that mail programs do not invert the colours themselves. Loads nothing remote. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px; background: #faf9f7; color: #1f1d1a; font: 16px/1.5 Inter, system-ui, sans-serif; }
main { max-width: 560px; margin: 0 auto; padding: 24px; border: 1px solid #dedad3; border-radius: 8px; background: #fff; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
.code { font: 600 28px/1.3 ui-monospace, monospace; letter-spacing: 0.1em; }
.button { display: inline-block; padding: 10px 16px; border-radius: 6px; background: #0f5c55; color: #fff; text-decoration: none; }
footer { margin-top: 24px; padding-top: 12px; border-top: 1px solid #dedad3; color: #5f5a52; font-size: 13px; }
footer a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #16150f; color: #edeae4; }
  main { background: #201f1a; border-color: #3a382f; }
  .button { background: #4fb8ac; color: #0c1f1d; }
  footer { border-color: #3a382f; color: #b3ada2; }
}`;

/** Renders a mail as an HTML document. */
export function writeHtml({ subject, parts, because, unsubscribe }: Mail): string {
  const stop = unsubscribe ? `<br><a href="${escapeHtml(unsubscribe)}">Stop these mails</a>` : '';
  return [
    '<!doctype html>',
    '<html lang="en-GB"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(subject)}</h1>`,
    ...parts.map(htmlOf),
    `<footer>${FOOT}<br>${escapeHtml(because)}${stop}</footer></main></body></html>`,
  ].join('\n');
}
