import type { Kind } from './app.ts';

/** The code of each kind of app, on top of the base. It writes texts as texts, so that no word of an app is markup. */
export const SCRIPTS: Record<Kind, string> = {
  form: `
const inputs = app.fields.map((field) => inputFor(field, 'new-'));
let entries = kept.read([]);
const list = make('ul', { class: 'plain', 'aria-label': 'Saved entries' });
const head = make('h2', {}, '');
function draw() {
  head.textContent = entries.length === 1 ? '1 entry' : entries.length + ' entries';
  list.replaceChildren(...entries.map((entry, at) => make('li', { class: 'card' },
    ...app.fields.map((field) => make('p', {}, field.label + ': ' + shown(field, entry[field.id]))),
    make('button', { type: 'button', 'aria-label': 'Remove entry ' + (at + 1), on: { click() { entries = entries.filter((one) => one !== entry); kept.write(entries); draw(); say('Removed.'); } } }, 'Remove'))));
}
const form = make('form', { novalidate: true, on: { submit(event) {
  event.preventDefault();
  const values = checkAll(inputs);
  if (!values) return;
  entries = [...entries, values];
  kept.write(entries);
  inputs.forEach((one) => one.clear());
  draw();
  say('Saved.');
  inputs[0].control.focus();
} } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Save'));
main.append(form, head, list);
draw();
`,
  list: `
let rows = kept.read(app.samples);
let [sorted, down] = [app.fields[0].id, false];
const choices = app.fields.filter((field) => field.type === 'choice' || field.type === 'check');
const search = make('input', { id: 'search', type: 'search', on: { input: draw } });
const filters = choices.map((field) => ({ field, control: make('select', { id: 'by-' + field.id, on: { change: draw } }, make('option', { value: '' }, 'All'), ...(field.type === 'check' ? ['Yes', 'No'] : field.options).map((one) => make('option', { value: one }, one))) }));
const inputs = app.fields.map((field) => inputFor(field, 'new-'));
const body = make('tbody', {});
const counted = make('p', { class: 'soft' });
const heads = app.fields.map((field) => make('th', { scope: 'col' }, make('button', { type: 'button', on: { click() { down = sorted === field.id ? !down : false; sorted = field.id; draw(); } } }, field.label)));
function draw() {
  const words = search.value.trim().toLowerCase();
  const field = app.fields.find((one) => one.id === sorted);
  const order = (one, other) => (field.type === 'number' ? Number(one[sorted]) - Number(other[sorted]) : String(one[sorted]).localeCompare(String(other[sorted]))) * (down ? -1 : 1);
  const seen = rows.filter((row) => app.fields.some((one) => shown(one, row[one.id]).toLowerCase().includes(words)))
    .filter((row) => filters.every(({ field: by, control }) => control.value === '' || shown(by, row[by.id]) === control.value)).sort(order);
  heads.forEach((head, at) => { if (app.fields[at].id === sorted) head.setAttribute('aria-sort', down ? 'descending' : 'ascending'); else head.removeAttribute('aria-sort'); });
  body.replaceChildren(...seen.map((row) => make('tr', {}, ...app.fields.map((one) => make('td', {}, shown(one, row[one.id]))),
    make('td', {}, make('button', { type: 'button', 'aria-label': 'Remove ' + shown(app.fields[0], row[app.fields[0].id]), on: { click() { rows = rows.filter((one) => one !== row); kept.write(rows); draw(); say('Removed.'); } } }, 'Remove')))));
  counted.textContent = seen.length + ' of ' + rows.length + ' shown';
}
main.append(
  make('div', { class: 'row' }, make('div', { class: 'field' }, make('label', { for: 'search' }, 'Search'), search), ...filters.map(({ field, control }) => make('div', { class: 'field' }, make('label', { for: control.id }, 'Filter by ' + field.label), control))),
  counted,
  make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': app.title }, make('table', {}, make('thead', {}, make('tr', {}, ...heads, make('th', { scope: 'col' }, 'Remove'))), body)),
  make('h2', {}, 'Add a row'),
  make('form', { novalidate: true, on: { submit(event) { event.preventDefault(); const values = checkAll(inputs); if (!values) return; rows = [...rows, values]; kept.write(rows); inputs.forEach((one) => one.clear()); draw(); say('Added.'); } } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Add')),
);
draw();
`,
  dashboard: `
let rows = kept.read(app.samples);
const group = app.fields.find((field) => field.type === 'choice') || app.fields[0];
const number = app.fields.find((field) => field.type === 'number');
const inputs = app.fields.map((field) => inputFor(field, 'new-'));
const figures = make('ul', { class: 'figures', 'aria-label': 'Figures' });
const chart = make('div', {});
const body = make('tbody', {});
const NS = 'http://www.w3.org/2000/svg';
const draws = (tag, given, text) => { const one = document.createElementNS(NS, tag); for (const [name, value] of Object.entries(given)) one.setAttribute(name, value); if (text) one.textContent = text; return one; };
const round = (value) => Math.round(value * 100) / 100;
function draw() {
  const counts = new Map((group.options || []).map((option) => [option, 0]));
  for (const row of rows) { const key = shown(group, row[group.id]); counts.set(key, (counts.get(key) || 0) + 1); }
  const sum = number ? rows.reduce((total, row) => total + (Number(row[number.id]) || 0), 0) : 0;
  const told = [['All', rows.length], ...(number ? [[number.label + ', total', round(sum)], [number.label + ', average', rows.length ? round(sum / rows.length) : 0]] : [])];
  figures.replaceChildren(...told.map(([label, value]) => make('li', {}, make('strong', {}, String(value)), label)));
  const most = Math.max(1, ...counts.values());
  const svg = draws('svg', { viewBox: '0 0 600 ' + (counts.size * 34 + 10), role: 'img', 'aria-label': 'Bars by ' + group.label + ': ' + [...counts].map(([key, value]) => key + ' ' + value).join(', ') });
  [...counts].forEach(([key, value], at) => svg.append(draws('text', { x: 0, y: at * 34 + 22 }, key.slice(0, 22)), draws('rect', { x: 170, y: at * 34 + 6, width: Math.max(2, (value / most) * 360), height: 22, rx: 3 }), draws('text', { x: 180 + (value / most) * 360, y: at * 34 + 22 }, String(value))));
  chart.replaceChildren(svg);
  body.replaceChildren(...[...counts].map(([key, value]) => make('tr', {}, make('th', { scope: 'row' }, key), make('td', {}, String(value)))));
}
main.append(figures, make('h2', {}, 'By ' + group.label), chart,
  make('table', {}, make('caption', { class: 'hidden' }, 'The chart as a table'), make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, group.label), make('th', { scope: 'col' }, 'Count'))), body),
  make('h2', {}, 'Add a row'),
  make('form', { novalidate: true, on: { submit(event) { event.preventDefault(); const values = checkAll(inputs); if (!values) return; rows = [...rows, values]; kept.write(rows); inputs.forEach((one) => one.clear()); draw(); say('Added.'); } } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Add')),
  make('button', { type: 'button', on: { click() { rows = []; kept.write(rows); draw(); say('All rows are removed.'); } } }, 'Remove all rows'));
draw();
`,
  calendar: `
let events = kept.read([]);
const today = new Date();
let [year, month] = [today.getFullYear(), today.getMonth()];
const two = (value) => String(value).padStart(2, '0');
const dayKey = (day) => year + '-' + two(month + 1) + '-' + two(day);
let chosen = dayKey(today.getDate());
const title = make('h2', { 'aria-live': 'polite' });
const body = make('tbody', {});
const list = make('ul', { class: 'plain', 'aria-label': 'Events of the day' });
const dayTitle = make('h2', {});
const inputs = [{ id: 'what', label: 'What', type: 'text', options: [], isRequired: true, min: null, max: null }, ...app.fields].map((field) => inputFor(field, 'new-'));
const long = (key) => new Date(key + 'T12:00').toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const counted = (count) => (count === 1 ? '1 event' : count + ' events');
function draw() {
  title.textContent = new Date(year, month, 1).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  const days = new Date(year, month + 1, 0).getDate();
  const before = (new Date(year, month, 1).getDay() + 6) % 7;
  const cells = [...Array(before).fill(null), ...Array.from({ length: days }, (_, at) => at + 1)];
  while (cells.length % 7 !== 0) cells.push(null);
  body.replaceChildren(...Array.from({ length: cells.length / 7 }, (_, week) => make('tr', {}, ...cells.slice(week * 7, week * 7 + 7).map((day) => {
    if (day === null) return make('td', {});
    const key = dayKey(day);
    const count = events.filter((one) => one.day === key).length;
    return make('td', {}, make('button', { type: 'button', 'aria-pressed': String(key === chosen), 'aria-label': long(key) + ', ' + counted(count), on: { click() { chosen = key; draw(); document.querySelector('[aria-pressed=true]').focus(); } } }, String(day) + (count ? ' •' : '')));
  }))));
  dayTitle.textContent = long(chosen);
  list.replaceChildren(...events.filter((one) => one.day === chosen).map((event) => make('li', { class: 'card' }, make('p', {}, event.what), ...app.fields.map((field) => make('p', { class: 'soft' }, field.label + ': ' + shown(field, event[field.id]))), make('button', { type: 'button', 'aria-label': 'Remove ' + event.what, on: { click() { events = events.filter((one) => one !== event); kept.write(events); draw(); say('Removed.'); } } }, 'Remove'))));
}
const go = (by) => { const to = new Date(year, month + by, 1); year = to.getFullYear(); month = to.getMonth(); chosen = dayKey(1); draw(); };
main.append(make('div', { class: 'row' }, make('button', { type: 'button', on: { click() { go(-1); } } }, 'Previous month'), make('button', { type: 'button', on: { click() { go(1); } } }, 'Next month')), title,
  make('table', { class: 'month', 'aria-label': 'Month' }, make('thead', {}, make('tr', {}, ...['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => make('th', { scope: 'col' }, day)))), body),
  dayTitle, list,
  make('form', { novalidate: true, on: { submit(event) { event.preventDefault(); const values = checkAll(inputs); if (!values) return; events = [...events, { ...values, day: chosen }]; kept.write(events); inputs.forEach((one) => one.clear()); draw(); say('Added.'); } } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Add to this day')));
draw();
`,
  kanban: `
let cards = kept.read([]);
const inputs = [{ id: 'what', label: 'Card', type: 'text', options: [], isRequired: true, min: null, max: null }, ...app.fields].map((field) => inputFor(field, 'new-'));
const board = make('div', { class: 'board' });
function move(card, by) {
  card.column = Math.min(app.columns.length - 1, Math.max(0, card.column + by));
  kept.write(cards);
  draw();
  say(card.what + ' is in ' + app.columns[card.column] + '.');
}
function draw() {
  board.replaceChildren(...app.columns.map((column, at) => make('section', { 'aria-label': column, on: {
    dragover(event) { event.preventDefault(); },
    drop(event) { event.preventDefault(); const card = cards[Number(event.dataTransfer.getData('text/plain'))]; if (card) move(card, at - card.column); } } },
    make('h2', {}, column + ' (' + cards.filter((card) => card.column === at).length + ')'),
    make('ul', {}, ...cards.filter((card) => card.column === at).map((card) => make('li', { class: 'card', draggable: 'true', on: { dragstart(event) { event.dataTransfer.setData('text/plain', String(cards.indexOf(card))); } } },
      make('p', {}, card.what), ...app.fields.filter((field) => card[field.id]).map((field) => make('p', { class: 'soft' }, field.label + ': ' + shown(field, card[field.id]))),
      make('div', { class: 'row' },
        at > 0 ? make('button', { type: 'button', 'aria-label': 'Move ' + card.what + ' to ' + app.columns[at - 1], on: { click() { move(card, -1); } } }, '←') : null,
        at < app.columns.length - 1 ? make('button', { type: 'button', 'aria-label': 'Move ' + card.what + ' to ' + app.columns[at + 1], on: { click() { move(card, 1); } } }, '→') : null,
        make('button', { type: 'button', 'aria-label': 'Remove ' + card.what, on: { click() { cards = cards.filter((one) => one !== card); kept.write(cards); draw(); say('Removed.'); } } }, 'Remove'))))))));
}
main.append(make('form', { novalidate: true, on: { submit(event) { event.preventDefault(); const values = checkAll(inputs); if (!values) return; cards = [...cards, { ...values, column: 0 }]; kept.write(cards); inputs.forEach((one) => one.clear()); draw(); say('Added.'); inputs[0].control.focus(); } } }, make('div', { class: 'row' }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Add card'))), board);
draw();
`,
  calculator: `
const inputs = app.fields.map((field) => inputFor({ ...field, isRequired: true }, 'new-'));
const result = make('p', { class: 'result', role: 'status' }, '–');
function work(values) {
  if (app.formula.length === 0) return app.fields.reduce((sum, field) => sum + values[field.id], 0);
  let at = 0;
  const sign = () => (app.formula[at] && app.formula[at].kind === 'sign' ? app.formula[at].text : '');
  function value() {
    const token = app.formula[at++];
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'field') return values[token.text];
    const inside = sum();
    at += 1;
    return inside;
  }
  function product() {
    let left = value();
    while (sign() === '*' || sign() === '/') { const by = app.formula[at++].text; const right = value(); left = by === '*' ? left * right : left / right; }
    return left;
  }
  function sum() {
    let left = product();
    while (sign() === '+' || sign() === '-') { const by = app.formula[at++].text; const right = product(); left = by === '+' ? left + right : left - right; }
    return left;
  }
  return sum();
}
main.append(make('p', { class: 'notice' }, app.title + ' = ' + app.formulaText),
  make('form', { novalidate: true, on: { submit(event) {
    event.preventDefault();
    const values = checkAll(inputs);
    if (!values) { result.textContent = '–'; return; }
    const worked = work(Object.fromEntries(Object.entries(values).map(([id, text]) => [id, Number(text)])));
    result.textContent = Number.isFinite(worked) ? String(Math.round(worked * 10000) / 10000) : 'No result: a division by zero.';
  }, input() { result.textContent = '–'; } } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Work it out')),
  make('h2', {}, 'Result'), result);
`,
  wizard: `
const inputs = app.fields.map((field) => inputFor(field, 'new-'));
const size = 3;
const steps = Array.from({ length: Math.ceil(inputs.length / size) }, (_, at) => inputs.slice(at * size, at * size + size));
let step = 0;
const place = make('p', { class: 'soft', 'aria-live': 'polite' });
const box = make('div', {});
const back = make('button', { type: 'button', on: { click() { step -= 1; draw(); focus(); } } }, 'Back');
const next = make('button', { class: 'main' }, 'Next');
const form = make('form', { novalidate: true, on: { submit(event) {
  event.preventDefault();
  if (step < steps.length && !checkAll(steps[step])) return;
  if (step === steps.length) { if (!checkAll(inputs)) { step = 0; draw(); focus(); return; } kept.write(Object.fromEntries(inputs.map((one) => [one.field.id, one.read()]))); form.hidden = true; place.textContent = ''; main.append(make('h2', { tabindex: -1, id: 'end' }, 'Finished'), make('p', {}, 'Your answers are complete.')); $('end').focus(); say('Finished.'); return; }
  step += 1;
  draw();
  focus();
} } }, box, make('div', { class: 'row' }, back, next));
function draw() {
  const isLast = step === steps.length;
  place.textContent = isLast ? 'Check your answers' : 'Step ' + (step + 1) + ' of ' + steps.length;
  box.replaceChildren(...(isLast ? [make('dl', {}, ...inputs.flatMap((one) => [make('dt', {}, one.field.label), make('dd', {}, shown(one.field, one.read()))]))] : steps[step].map((one) => one.node)));
  back.hidden = step === 0;
  next.textContent = isLast ? 'Finish' : step === steps.length - 1 ? 'Check answers' : 'Next';
}
const focus = () => (step === steps.length ? next : steps[step][0].control).focus();
main.append(place, form);
draw();
`,
  landing: `
document.querySelector('header').hidden = true;
const inputs = [{ id: 'name', label: 'Your name', type: 'text', isRequired: true }, { id: 'email', label: 'Your email', type: 'email', isRequired: true }].map((field) => inputFor({ options: [], min: null, max: null, ...field }, 'new-'));
const call = app.call || 'Get in touch';
const form = make('form', { novalidate: true, id: 'contact', 'aria-label': call, on: { submit(event) {
  event.preventDefault();
  if (!checkAll(inputs)) return;
  form.replaceChildren(make('p', { role: 'status' }, 'Thank you. Nothing was sent: connect this form to a service before you publish the page.'));
} } }, ...inputs.map((one) => one.node), make('button', { class: 'main' }, 'Send'));
main.append(make('section', { class: 'hero', 'aria-labelledby': 'title' }, make('h1', { id: 'title' }, app.title), make('button', { type: 'button', class: 'main', on: { click() { inputs[0].control.focus(); } } }, call)),
  ...(app.points.length > 0 ? [make('h2', {}, 'At a glance'), make('ul', { class: 'points' }, ...app.points.map((point) => make('li', { class: 'point' }, point)))] : []),
  make('h2', {}, call), form);
`,
};
