import type { Palette, Style } from '../style/styles.ts';

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** The page's style sheet. Colours and fonts come from the built-in styles, never from user input. */
export const cssOf = ({ light, dark, fonts, radius }: Style): string => `
:root{${variables(light)};--radius:${radius}px;color-scheme:light}
:root[data-theme=dark]{${variables(dark)};color-scheme:dark}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 ${fonts}}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.soft{color:var(--soft)}
.bar{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:8px 16px;background:var(--surface);border-bottom:1px solid var(--border);font-size:14px}
.bar span{margin-right:auto}
.bar button{font:inherit;color:inherit;background:none;border:1px solid var(--border);border-radius:999px;padding:4px 12px;min-height:32px;cursor:pointer}
.bar button[aria-pressed=true]{background:var(--accent);color:var(--onAccent);border-color:var(--accent)}
main{max-width:960px;margin:0 auto;padding:0 16px 48px}
.banner{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:4px 24px;margin:0 -16px;padding:12px 16px;background:var(--accent);color:var(--onAccent)}
header{margin:24px 0 16px}
h1{font-size:26px;line-height:1.25;margin:0}
h2{font-size:18px;margin:0 0 4px}
p{margin:0}
header p{margin-top:4px}
.fields{display:grid;gap:16px;max-width:640px}
.fields[data-columns="2"]{max-width:none;grid-template-columns:repeat(auto-fit,minmax(280px,1fr))}
.field label{display:block;font-weight:600;margin-bottom:4px}
.field label .soft{font-weight:400}
.field.tick{display:flex;gap:12px;align-items:center;min-height:44px}
.field.tick label{margin:0}
.field.tick input{width:24px;height:24px}
input:not([type=checkbox]),select,textarea{width:100%;min-height:44px;padding:8px 12px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--soft);border-radius:var(--radius)}
.with-unit{display:flex;gap:8px;align-items:center}
.with-unit input{max-width:160px;font-variant-numeric:tabular-nums}
.unit{white-space:nowrap}
.fault{color:var(--danger);font-weight:600;margin-bottom:4px}
.wrong{border-left:4px solid var(--danger);padding-left:12px}
.wrong input,.wrong select,.wrong textarea{border-color:var(--danger)}
.notice{margin:16px 0;padding:16px;background:var(--surface);border:1px solid var(--border);border-left:4px solid var(--accent);border-radius:var(--radius)}
.notice.error{border-color:var(--danger)}
.notice ul{margin:0;padding-left:20px}
.notice .button{margin-top:12px}
.link{font:inherit;background:none;border:0;padding:4px 0;color:var(--danger);text-decoration:underline;cursor:pointer;text-align:left}
.actions{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}
.button{font:inherit;font-weight:600;min-height:44px;padding:8px 20px;border-radius:var(--radius);border:1px solid var(--border);background:var(--surface);color:var(--text);cursor:pointer}
.button.primary{background:var(--accent);border-color:var(--accent);color:var(--onAccent)}
.button.danger{border-color:var(--danger);color:var(--danger)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.banner :focus-visible{outline-color:var(--onAccent)}
.search{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));margin-bottom:16px}
.table{overflow-x:auto;background:var(--surface);border:1px solid var(--border);border-radius:var(--radius)}
.none{padding:16px}
table{width:100%;border-collapse:collapse;font-size:15px}
th,td{padding:10px 12px;text-align:left;border-bottom:1px solid var(--border);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.facts{display:grid;gap:16px;margin:0;padding:16px;background:var(--surface);border:1px solid var(--border);border-radius:var(--radius)}
.facts[data-columns="2"]{grid-template-columns:repeat(auto-fit,minmax(240px,1fr))}
dt{color:var(--soft);font-size:14px}
dd{margin:0;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.figures{display:grid;gap:12px;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));margin-bottom:16px}
.figures button{font:inherit;text-align:left;color:inherit;background:var(--surface);border:1px solid var(--border);border-radius:var(--radius);padding:16px;cursor:pointer}
.figures strong{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}
.figures span{color:var(--soft);font-size:14px}
.bars{margin-bottom:16px;padding:16px;background:var(--surface);border:1px solid var(--border);border-radius:var(--radius)}
.bars div{display:grid;grid-template-columns:minmax(90px,160px) 1fr 40px;gap:12px;align-items:center;padding:4px 0}
.bars i{height:12px;background:var(--accent);border-radius:var(--radius)}
.bars b{text-align:right;font-variant-numeric:tabular-nums}
.thread{list-style:none;margin:0 0 16px;padding:0;display:grid;gap:12px}
.thread li{max-width:80%;justify-self:start}
.thread li.own{justify-self:end}
.thread p{padding:10px 14px;background:var(--surface);border:1px solid var(--border);border-radius:var(--radius);overflow-wrap:anywhere}
.thread .own p{background:var(--accent);color:var(--onAccent);border-color:var(--accent)}
.thread span{font-size:14px}
.skeleton i{display:block;height:20px;margin-top:12px;background:var(--border);border-radius:var(--radius);opacity:.6}
.skeleton i:nth-child(3n){width:60%}
.empty{margin:32px 0;padding:32px 16px;text-align:center;border:1px dashed var(--border);border-radius:var(--radius)}
.empty .button{margin-top:16px}
main>.facts,main>.field{margin-top:16px}
dialog{width:min(520px,calc(100% - 32px));padding:24px;color:var(--text);background:var(--surface);border:1px solid var(--border);border-radius:var(--radius)}
dialog::backdrop{background:rgb(0 0 0/.5)}
dialog [data-who]{font-weight:600}
dialog .facts{border:0;padding:16px 0}
.live{position:fixed;left:16px;right:16px;bottom:16px;max-width:520px;margin:0 auto;padding:12px 16px;background:var(--text);color:var(--page);border-radius:var(--radius)}
@media (max-width:600px){
h1{font-size:22px}
.actions .button{width:100%}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{display:block;padding:12px 0;border-bottom:1px solid var(--border)}
td{display:flex;justify-content:space-between;gap:16px;border:0;padding:4px 12px;text-align:right}
td[data-column]::before{content:attr(data-column);color:var(--soft);text-align:left}
}
@media (prefers-reduced-motion:no-preference){.skeleton i{animation:pulse 1.2s ease-in-out infinite alternate}@keyframes pulse{to{opacity:.3}}}
`;
