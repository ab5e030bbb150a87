import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import type { Action, Field } from '../screen/screen.ts';
import type { Block } from './compose.ts';
import { escapeText as e } from './escape.ts';
import type { Person } from './people.ts';

const personHtml = ({ name, born, age, nhsNumber }: Person) =>
  `<strong>${e(name)}</strong><span>Born ${e(born)} (${age}y)</span><span>NHS No. ${e(nhsNumber)}</span>`;

const button = ({ label, tone, confirms }: Action) =>
  `<button type="button" class="button ${tone}" data-act="${e(label)}"${confirms ? ` data-confirms="${e(confirms)}"` : ''}>${e(label)}</button>`;

const INPUT_TYPES: Partial<Record<Field['type'], string>> = {
  email: 'email',
  phone: 'tel',
  password: 'password',
  file: 'file',
};

/** A field: label above, unit beside, error below the label. */
function input(field: Field, id: string, filled: boolean, fault: string | undefined): string {
  const { type, label, unit, options, sample, required } = field;
  const value = filled && !fault && type !== 'file' ? sample : '';
  const marks = `id="${id}" name="${id}"${required ? ' data-required' : ''}${fault ? ` aria-invalid="true" aria-describedby="${id}-fault"` : ''}`;
  if (type === 'yes-no')
    return `<div class="field tick"><input type="checkbox" ${marks}${value === 'Yes' ? ' checked' : ''}><label for="${id}">${e(label)}</label></div>`;
  const control =
    type === 'choice'
      ? `<select ${marks}><option value="">Choose</option>${options.map((one) => `<option${one === value ? ' selected' : ''}>${e(one)}</option>`).join('')}</select>`
      : type === 'long-text'
        ? `<textarea rows="3" ${marks}>${e(value)}</textarea>`
        : `<input type="${INPUT_TYPES[type] ?? 'text'}"${type === 'number' ? ' inputmode="decimal" data-number' : ''} autocomplete="off" value="${e(value)}" ${marks}>`;
  return [
    `<div class="field${fault ? ' wrong' : ''}" data-label="${e(label)}">`,
    `<label for="${id}">${e(label)}${required ? '' : ' <span class="soft">(optional)</span>'}</label>`,
    `<p class="fault" id="${id}-fault"${fault ? '' : ' hidden'}>${e(fault ?? '')}</p>`,
    unit ? `<div class="with-unit">${control}<span class="unit">${e(unit)}</span></div>` : control,
    '</div>',
  ].join('');
}

const facts = (items: { label: string; value: string }[], columns: number) =>
  `<dl class="facts" data-columns="${columns}">${items.map(({ label, value }) => `<div><dt>${e(label)}</dt><dd>${e(value)}</dd></div>`).join('')}</dl>`;

function table({ caption, columns, numeric, rows, opens }: Extract<Block, { type: 'table' }>): string {
  const head = columns
    .map((name, at) => `<th scope="col"${numeric[at] ? ' class="number"' : ''}>${e(name)}</th>`)
    .join('');
  const body = rows
    .map((cells) => {
      const line = cells
        .map(
          (text, at) =>
            `<td data-column="${e(columns[at] ?? '')}"${numeric[at] ? ' class="number"' : ''}>${e(text)}</td>`,
        )
        .join('');
      const open = `<td><button type="button" class="button plain" data-open>Open<span class="hidden"> ${e(cells[0] ?? '')}</span></button></td>`;
      return `<tr>${line}${opens ? open : ''}</tr>`;
    })
    .join('');
  const last = opens ? '<th scope="col"><span class="hidden">Details</span></th>' : '';
  return `<div class="table"><table><caption class="hidden">${e(caption)}</caption><thead><tr>${head}${last}</tr></thead><tbody>${body}</tbody></table><p class="none soft" hidden>Nothing matches. Change the search or the filter.</p></div>`;
}

/** Renders a block as HTML with all texts escaped. `prefix` makes its ids unique. */
export function renderBlock(block: Block, prefix: string): string {
  switch (block.type) {
    case 'banner':
      return `<div class="banner" role="region" aria-label="Patient">${personHtml(block.person)}</div>`;
    case 'title':
      return `<header><h1>${e(block.title)}</h1>${block.text ? `<p class="soft">${e(block.text)}</p>` : ''}</header>`;
    case 'notice':
      return [
        `<div class="notice ${block.tone}"${block.tone === 'error' ? ' role="alert"' : ' role="status" data-progress'}>`,
        `<h2>${e(block.title)}</h2>${block.lines.map((line) => `<p>${e(line)}</p>`).join('')}`,
        block.retry ? '<button type="button" class="button plain" data-state-to="default">Try again</button>' : '',
        '</div>',
      ].join('');
    case 'search':
      return [
        `<div class="search"><div class="field"><label for="${prefix}-search">${e(block.label)}</label><input id="${prefix}-search" type="search" data-search autocomplete="off"></div>`,
        block.filter
          ? `<div class="field"><label for="${prefix}-filter">${e(block.filter.label)}</label><select id="${prefix}-filter" data-filter="${e(block.filter.label)}"><option value="">All</option>${block.filter.options.map((one) => `<option>${e(one)}</option>`).join('')}</select></div>`
          : '',
        '</div>',
      ].join('');
    case 'fields':
      return `<div class="notice error summary" role="alert" tabindex="-1" hidden><h2>There is a problem</h2><ul></ul></div><div class="fields" data-columns="${block.columns}">${block.fields
        .map((field, at) => input(field, `${prefix}-${at}`, block.filled, ownEntry(block.faults, field.label)))
        .join('')}</div>`;
    case 'facts':
      return facts(block.items, block.columns);
    case 'table':
      return table(block);
    case 'figures':
      return `<div class="figures">${block.items.map(({ label, value }) => `<button type="button" data-figure="${e(label)}"><strong>${e(value)}</strong><span>${e(label)}</span></button>`).join('')}</div>`;
    case 'bars': {
      const maxValue = Math.max(...block.items.map(({ value }) => value), 1);
      return `<section class="bars" aria-label="${e(block.heading)}"><h2>${e(block.heading)}</h2>${block.items
        .map(
          ({ label, value }) =>
            `<div><span>${e(label)}</span><i style="width:${Math.round((value / maxValue) * 100)}%"></i><b>${value}</b></div>`,
        )
        .join('')}</section>`;
    }
    case 'thread':
      return `<ol class="thread">${block.messages.map(({ from, own, text, time }) => `<li${own ? ' class="own"' : ''}><span class="soft">${e(from)}, ${e(time)}</span><p>${e(text)}</p></li>`).join('')}</ol>`;
    case 'composer':
      return `<div class="field"><label for="${prefix}-message">${e(block.label)}</label><textarea id="${prefix}-message" rows="2" data-message></textarea></div>`;
    case 'reason':
      return `<div class="field" data-label="Reason"><label for="${prefix}-reason">Reason <span class="soft">(needed to reject)</span></label><p class="fault" id="${prefix}-reason-fault" hidden></p><textarea id="${prefix}-reason" rows="2" data-reason></textarea></div>`;
    case 'skeleton':
      return `<div class="skeleton" role="status"><p class="soft">${e(block.label)}</p>${'<i></i>'.repeat(block.lines)}</div>`;
    case 'empty':
      return `<div class="empty"><h2>${e(block.title)}</h2><p class="soft">${e(block.text)}</p>${block.button ? `<button type="button" class="button primary" data-state-to="default">${e(block.button)}</button>` : ''}</div>`;
    case 'actions':
      return `<div class="actions">${block.actions.map(button).join('')}</div>`;
  }
}
