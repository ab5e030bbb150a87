import type { ErrorBody } from '../../models/contracts/errors.ts';
import { escapeHtml } from './html.ts';

/** HTML page for a person whose link was refused: the error, and one link to continue. */
export function writeErrorPage({ error, code }: ErrorBody): string {
  const [address, words] = code === 'not_signed_in' ? ['/auth', 'Sign in'] : ['/', 'Go to Arc'];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Arc</title><style>
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:20vh auto 0;padding:0 1rem}
</style></head><body><main><h1>This link can’t be opened</h1><p>${escapeHtml(error)}</p><p><a href="${address}">${words}</a></p></main></body></html>`;
}
