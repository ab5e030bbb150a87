import type { Colour } from './app.ts';

/** The accent of a colour in light and dark: white text on it, and it on the page, have a contrast of 4.5 or more. */
const ACCENTS: Record<Colour, { light: string; dark: string }> = {
  blue: { light: '#0b5394', dark: '#8ec5ff' },
  green: { light: '#146c43', dark: '#8fd9ae' },
  purple: { light: '#6a3d9a', dark: '#cfb3ff' },
  red: { light: '#a12622', dark: '#ffb0aa' },
  grey: { light: '#454d57', dark: '#c8d0d9' },
};

/** The style of an app: light and dark, from 320 px up, with visible focus. */
export const cssOf = (colour: Colour): string => `
:root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--soft:#525a64;--line:#868f99;--panel:#f3f5f7;--accent:${ACCENTS[colour].light};--on:#fff;--bad:#a12622}
@media(prefers-color-scheme:dark){:root{--page:#14181d;--ink:#edf0f3;--soft:#b3bcc6;--line:#7d8792;--panel:#1f252c;--accent:${ACCENTS[colour].dark};--on:#14181d;--bad:#ffb0aa}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:64rem;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.2rem;margin:1.2rem 0 .5rem}
.soft{color:var(--soft)}.notice{border-left:4px solid var(--accent);background:var(--panel);padding:.6rem .9rem;margin:.8rem 0}
.field{margin:0 0 .9rem;max-width:34rem}.field label{display:block;font-weight:600}.field.check label{display:inline;font-weight:400;margin-left:.4rem}
input:not([type=checkbox]),select,textarea{width:100%;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.5rem .6rem;min-height:44px}
input[type=checkbox]{width:24px;height:24px;vertical-align:middle;accent-color:var(--accent)}
[aria-invalid=true]{border:2px solid var(--bad)}.fault{color:var(--bad);margin:.2rem 0 0}
button{font:inherit;min-height:44px;padding:.5rem .9rem;border-radius:6px;border:1px solid var(--line);background:var(--page);color:var(--ink);cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:.6rem 0}.row .field{margin:0;flex:1 1 11rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.45rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th button{border:0;padding:.2rem .3rem;font-weight:600;background:none}
.figures{display:flex;flex-wrap:wrap;gap:.8rem;margin:0;padding:0;list-style:none}.figures li{background:var(--panel);padding:.7rem 1rem;border-radius:8px;min-width:9rem}.figures strong{display:block;font-size:1.5rem}
.board{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr))}.board section,.point{background:var(--panel);border-radius:8px;padding:.7rem}
.board ul,.points,.plain{list-style:none;margin:0;padding:0}.card{background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.6rem;margin:0 0 .6rem}.card p{margin:.2rem 0;overflow-wrap:anywhere}
.month td{height:4.2rem;padding:.2rem;border:1px solid var(--line)}.month td button{width:100%;min-height:2.6rem;padding:.1rem;border:0;background:none}.month td button[aria-pressed=true]{background:var(--accent);color:var(--on)}.month{table-layout:fixed}.month th{padding:.2rem;border:0;text-align:center}
.points{display:grid;gap:.8rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr))}.hero{padding:1.5rem 0}.hero h1{font-size:2.2rem}
.result{font-size:1.5rem;font-weight:700}.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
svg{max-width:40rem;width:100%}form+button{margin-top:.8rem}svg text{fill:var(--ink);font-size:13px}svg rect{fill:var(--accent)}
`;
