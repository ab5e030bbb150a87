/**
 * The script of the prototype. It contains no user input: that is escaped in the page, and the script reads and writes
 * it only as text. It stores and sends nothing.
 */
export const SCRIPT = `
(function () {
  var root = document.documentElement;
  var all = function (query, within) { return Array.prototype.slice.call((within || document).querySelectorAll(query)); };
  var dialog = document.querySelector('dialog');
  var live = document.querySelector('[data-live]');
  var then = null;
  function say(text) { live.textContent = text; live.hidden = text === ''; }
  function show(state) {
    all('main[data-state]').forEach(function (one) { one.hidden = one.dataset.state !== state; });
    all('[data-show]').forEach(function (one) { one.setAttribute('aria-pressed', String(one.dataset.show === state)); });
    say('');
  }
  function theme(name) {
    root.dataset.theme = name;
    document.querySelector('[data-theme-to]').textContent = name === 'dark' ? 'Light' : 'Dark';
  }
  function here(node) { return node.closest('main[data-state]'); }
  function patientOf(node) {
    var banner = node.closest('dialog') || here(node);
    var found = banner && banner.querySelector('.banner strong');
    return found ? found.textContent : '';
  }
  function ask(title, text, who, label, done) {
    dialog.querySelector('h2').textContent = title;
    dialog.querySelector('[data-who]').textContent = who;
    dialog.querySelector('[data-text]').textContent = text;
    dialog.querySelector('[data-facts]').textContent = '';
    dialog.querySelector('[data-extra]').textContent = '';
    var yes = dialog.querySelector('[data-yes]');
    yes.hidden = label === '';
    yes.textContent = label;
    then = done;
    dialog.showModal();
  }
  function faultOf(field) {
    var control = field.querySelector('input, select, textarea');
    if (!control) return '';
    var label = field.dataset.label || '';
    var value = control.value.trim();
    if (control.hasAttribute('data-required') && value === '') return 'Enter ' + label.toLowerCase();
    if (control.hasAttribute('data-number') && value !== '' && !/^-?\\d+([.]\\d+)?$/.test(value)) return label + ' must be a number';
    return '';
  }
  function mark(field, text) {
    var control = field.querySelector('input, select, textarea');
    var fault = field.querySelector('.fault');
    if (!fault) return;
    fault.textContent = text;
    fault.hidden = text === '';
    field.classList.toggle('wrong', text !== '');
    if (text) { control.setAttribute('aria-invalid', 'true'); control.setAttribute('aria-describedby', fault.id); }
    else control.removeAttribute('aria-invalid');
  }
  function valid(place) {
    var summary = place.querySelector('.summary');
    if (!summary) return true;
    var list = summary.querySelector('ul');
    list.textContent = '';
    all('.fields .field[data-label]', place).forEach(function (field) {
      var text = faultOf(field);
      mark(field, text);
      if (!text) return;
      var item = document.createElement('li');
      var link = document.createElement('button');
      link.type = 'button';
      link.className = 'link';
      link.textContent = text;
      link.addEventListener('click', function () { field.querySelector('input, select, textarea').focus(); });
      item.appendChild(link);
      list.appendChild(item);
    });
    summary.hidden = list.children.length === 0;
    if (!summary.hidden) summary.focus();
    return summary.hidden;
  }
  var decided = 1;
  function done(label, node) {
    var place = here(node) || document.querySelector('main[data-state]:not([hidden])');
    var box = place.querySelector('[data-message]');
    if (box) {
      var words = box.value.trim();
      if (words === '') return box.focus();
      var thread = place.querySelector('.thread');
      if (!thread) { thread = document.createElement('ol'); thread.className = 'thread'; box.parentNode.before(thread); var none = place.querySelector('.empty'); if (none) none.remove(); }
      var item = document.createElement('li');
      item.className = 'own';
      var by = document.createElement('span');
      by.className = 'soft';
      by.textContent = 'You, now';
      var text = document.createElement('p');
      text.textContent = words;
      item.append(by, text);
      thread.appendChild(item);
      box.value = '';
      return box.focus();
    }
    var progress = place.querySelector('[data-progress] h2');
    if (progress && decided < 4) { decided += 1; progress.textContent = decided + ' of 4 decided'; if (decided === 4) return show('empty'); }
    say(label + ': done in this prototype. Nothing was stored or sent.');
  }
  function act(node) {
    var label = node.dataset.act;
    var place = here(node);
    var isMain = node.classList.contains('primary');
    if (place && isMain && !valid(place)) return;
    var reason = place && place.querySelector('[data-reason]');
    if (reason && node.classList.contains('danger')) {
      var field = reason.closest('.field');
      mark(field, reason.value.trim() === '' ? 'Give a reason' : '');
      if (reason.value.trim() === '') return reason.focus();
    }
    if (!node.dataset.confirms) { if (dialog.open) dialog.close(); return done(label, node); }
    var who = node.closest('dialog') ? dialog.querySelector('[data-who]').textContent : patientOf(node);
    if (dialog.open) dialog.close();
    ask(label + '?', node.dataset.confirms, who, label, function () { done(label, node); });
  }
  function filter(place) {
    var search = place.querySelector('[data-search]');
    var choice = place.querySelector('[data-filter]');
    var words = search ? search.value.trim().toLowerCase() : '';
    var shown = 0;
    all('tbody tr', place).forEach(function (row) {
      var cell = choice && choice.value ? all('td', row).find(function (one) { return one.dataset.column === choice.dataset.filter; }) : null;
      row.hidden = (words !== '' && row.textContent.toLowerCase().indexOf(words) < 0) || (choice && choice.value !== '' && (!cell || cell.textContent !== choice.value));
      if (!row.hidden) shown += 1;
    });
    var none = place.querySelector('.none');
    if (none) none.hidden = shown > 0;
  }
  function open(node) {
    var cells = all('td[data-column]', node.closest('tr'));
    ask(cells[0].dataset.column, '', cells[0].textContent, '', null);
    var facts = dialog.querySelector('[data-facts]');
    cells.slice(1).forEach(function (cell) {
      var pair = document.createElement('div');
      var term = document.createElement('dt');
      var value = document.createElement('dd');
      term.textContent = cell.dataset.column;
      value.textContent = cell.textContent;
      pair.append(term, value);
      facts.appendChild(pair);
    });
    var extra = document.querySelector('template');
    if (extra) dialog.querySelector('[data-extra]').appendChild(extra.content.cloneNode(true));
  }
  document.addEventListener('click', function (event) {
    var node = event.target.closest('button');
    if (!node) return;
    if (node.dataset.show) return show(node.dataset.show);
    if (node.dataset.stateTo) return show(node.dataset.stateTo);
    if (node.hasAttribute('data-theme-to')) return theme(root.dataset.theme === 'dark' ? 'light' : 'dark');
    if (node.hasAttribute('data-open')) return open(node);
    if (node.hasAttribute('data-no')) return dialog.close();
    if (node.hasAttribute('data-yes')) { dialog.close(); if (then) then(); then = null; return; }
    if (node.dataset.figure) { var table = here(node).querySelector('.table'); if (table) table.scrollIntoView(); return say(node.dataset.figure + ': the rows below.'); }
    if (node.dataset.act) act(node);
  });
  document.addEventListener('input', function (event) {
    var place = here(event.target);
    if (place && (event.target.matches('[data-search], [data-filter]'))) filter(place);
  });
  document.addEventListener('submit', function (event) { event.preventDefault(); });
  theme(window.matchMedia && window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  show('default');
})();
`;
