import { type Screen, STATES, type State, sentenceCase } from '../screen/screen.ts';
import type { Style } from '../style/styles.ts';
import { renderBlock } from './blocksHtml.ts';
import { composeScreen } from './compose.ts';
import { cssOf } from './css.ts';
import { escapeText as e } from './escape.ts';
import { SCRIPT } from './script.ts';

/** The page's own content security policy: it loads nothing from outside and sends nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

const stateHtml = (screen: Screen, state: State) => {
  const blocks = composeScreen(screen, state).map((block, at) => renderBlock(block, `${state}-${at}`));
  return `<main data-state="${state}"${state === 'default' ? '' : ' hidden'}>${blocks.join('\n')}</main>`;
};

const DIALOG =
  '<dialog aria-labelledby="dialog-title"><h2 id="dialog-title"></h2><p data-who></p><p data-text></p><dl class="facts" data-facts></dl><div data-extra></div><div class="actions"><button type="button" class="button primary" data-yes></button><button type="button" class="button plain" data-no>Back</button></div></dialog>';

/** Renders a clickable page of a screen with all its states and both themes. It needs no network and no storage. */
export function renderPrototype(screen: Screen, style: Style): string {
  const states = STATES.map(
    (state) =>
      `<button type="button" data-show="${state}" aria-pressed="${state === 'default'}">${sentenceCase(state)}</button>`,
  ).join('');
  const isOfMany = screen.kind === 'list' || screen.kind === 'dashboard';
  // The actions of a row are in its details dialog.
  const actions = isOfMany
    ? `<template>${renderBlock({ type: 'actions', actions: screen.actions }, 'row')}</template>`
    : '';
  return `<!doctype html>
<html lang="en-GB" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${e(screen.title)}</title>
<style>${cssOf(style)}</style>
</head>
<body>
<div class="bar" role="group" aria-label="Prototype"><span>Prototype, made-up data</span>${states}<button type="button" data-theme-to>Dark</button></div>
${STATES.map((state) => stateHtml(screen, state)).join('\n')}
${DIALOG}
${actions}
<p class="live" role="status" data-live hidden></p>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
