/** The code that every app has: elements, fields with their checks, and what is kept in the browser. */
export const BASE = `
const app = JSON.parse(document.getElementById('app').textContent);
const $ = (id) => document.getElementById(id);
function make(tag, given, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given || {})) {
    if (name === 'on') for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.filter((one) => one !== null && one !== undefined));
  return element;
}
const say = (text) => { $('live').textContent = text; };
// In a preview nothing can be kept: it lasts until the page is closed.
const kept = {
  key: 'app:' + app.title,
  read(otherwise) { try { return JSON.parse(localStorage.getItem(this.key)) ?? otherwise; } catch { return otherwise; } },
  write(value) { try { localStorage.setItem(this.key, JSON.stringify(value)); } catch {} },
};
const TYPES = { number: 'number', date: 'date', time: 'time', email: 'email', phone: 'tel' };
function faultOf(field, value, required) {
  if (field.type === 'check') return required && !value ? field.label + ' has to be ticked.' : '';
  if (value === '') return required ? 'Fill in ' + field.label + '.' : '';
  if (field.type === 'number') {
    const number = Number(value);
    if (!Number.isFinite(number)) return field.label + ' has to be a number.';
    if (field.min !== null && number < field.min) return field.label + ' has to be ' + field.min + ' or more.';
    if (field.max !== null && number > field.max) return field.label + ' has to be ' + field.max + ' or less.';
  }
  if (field.type === 'email' && !/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(value)) return field.label + ' has to look like name@example.org.';
  if (field.type === 'phone' && !/^[+\\d][\\d ()-]{4,}$/.test(value)) return field.label + ' has to be a phone number.';
  return '';
}
function inputFor(field, prefix) {
  const id = prefix + field.id;
  const given = { id, name: field.id, 'aria-describedby': id + '-fault' };
  if (field.isRequired && field.type !== 'check') given['aria-required'] = 'true';
  let control;
  if (field.type === 'choice') control = make('select', given, make('option', { value: '' }, 'Choose'), ...field.options.map((one) => make('option', { value: one }, one)));
  else if (field.type === 'long') control = make('textarea', { ...given, rows: 3 });
  else if (field.type === 'check') control = make('input', { ...given, type: 'checkbox' });
  else control = make('input', { ...given, type: TYPES[field.type] || 'text', step: field.type === 'number' ? 'any' : null, autocomplete: 'off' });
  const fault = make('p', { class: 'fault', id: id + '-fault' });
  const label = make('label', { for: id }, field.label + (field.isRequired ? ' (required)' : ''));
  const node = make('div', { class: 'field' + (field.type === 'check' ? ' check' : '') }, ...(field.type === 'check' ? [control, label] : [label, control]), fault);
  const read = () => (field.type === 'check' ? control.checked : control.value.trim());
  return {
    field, node, read, control,
    check(required) {
      const text = control.validity && control.validity.badInput ? field.label + ' has to be a number.' : faultOf(field, read(), required);
      fault.textContent = text;
      control.setAttribute('aria-invalid', String(text !== ''));
      return text;
    },
    clear() { if (field.type === 'check') control.checked = false; else control.value = ''; this.check(false); },
  };
}
function checkAll(inputs) {
  const values = Object.fromEntries(inputs.map((one) => [one.field.id, one.read()]));
  const asWords = (value) => (value === true ? 'yes' : value === false ? 'no' : String(value));
  const isRequired = ({ field }) => field.isRequired || app.rules.some((rule) => rule.field === field.id && asWords(values[rule.when] ?? '').toLowerCase() === rule.is.toLowerCase());
  const faulty = inputs.filter((one) => one.check(isRequired(one)) !== '');
  if (faulty.length > 0) {
    say(faulty.length === 1 ? 'One answer needs a change.' : faulty.length + ' answers need a change.');
    faulty[0].control.focus();
    return null;
  }
  return values;
}
const shown = (field, value) => (field.type === 'check' ? (value ? 'Yes' : 'No') : value === '' || value === undefined ? '–' : String(value));
const main = document.querySelector('main');
`;
