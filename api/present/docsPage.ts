import { escapeHtml } from './html.ts';

type Operation = {
  summary?: string;
  description?: string;
  requestBody?: unknown;
  responses?: Record<string, unknown>;
  parameters?: unknown;
};
type Document = {
  info: { title: string; version: string; description?: string };
  paths?: Record<string, unknown>;
  components?: unknown;
};

const block = (title: string, value: unknown, level = 3) =>
  value === undefined
    ? ''
    : `<h${level}>${title}</h${level}><pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;

/** The OpenAPI document as one page without scripts. */
export function writeDocsPage(document: object): string {
  const { info, paths = {}, components } = document as Document;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(
      ([
        method,
        it,
      ]) => `<details><summary><code>${method.toUpperCase()} ${escapeHtml(path)}</code> ${escapeHtml(it.summary ?? '')}</summary>
<p>${escapeHtml(it.description ?? '')}</p>${block('Parameters', it.parameters)}${block('Body', it.requestBody)}${block('Answers', it.responses)}</details>`,
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(info.title)} calls</title><style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
body{background:#fff;color:#1f1d1a}a{color:#0a6c66}@media(prefers-color-scheme:dark){body{background:#151412;color:#ece9e4}a{color:#62c9be}}
summary{cursor:pointer;padding:.4rem 0;overflow-wrap:anywhere}pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:6px;font-size:12px}h2,h3{font-size:14px}
</style></head><body><main><h1>${escapeHtml(info.title)} calls</h1><p>${escapeHtml(info.description ?? '')} <a href="/api/docs.json">OpenAPI as JSON</a>.</p>
${calls.join('\n')}${block('Types', components, 2)}</main></body></html>`;
}
