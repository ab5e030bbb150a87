const LATER = /\bto be (?:confirmed|determined|decided|defined|advised|agreed|assigned|allocated|added|completed)\b/gi;

const NOTHING_LONG = /applicable|keine|aucune?|ningun|nessun|ingen|nenhum/i;
const NOTHING =
  ' none yet n a na nil tbc tbd tba not applicable keine keiner aucun aucune ninguno ninguna nessuno nessuna geen ingen inga nenhum nenhuma'.split(
    ' ',
  );

const PLACEHOLDER =
  /^[[{<«]{1,3}\s*(?:fill|insert|enter|tb[acd]|todo|to be|placeholder|x{2,}|your)\b[^\]}>»]{0,200}[\]}>»]{1,3}$/i;

/** "[FILL: probability]", "«INSERT: name»": what a template has where nobody has written yet. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text.trim());

/** "None — there is no backup today", "None adequate.": nothing, and why. */
const NONE_BECAUSE =
  /^none(?:\s*[—–:;(.]|\s+-\s|\s+(?:adequate|automated|available|beyond|currently|identified|implemented|in place|today|yet)\b)/i;

/** "None", "n/a", "1) None 2) None", "to be confirmed" say that there is nothing yet. */
export function saysNothing(given: string): boolean {
  if (isPlaceholder(given) || NONE_BECAUSE.test(given.trim())) return true;
  const text = given.replaceAll('_', ' ').replace(LATER, ' ');
  if (/\p{L}{5}/u.test(text) && !NOTHING_LONG.test(text)) return false;
  return text
    .replace(/\b\d+[).:]?/g, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .split(' ')
    .every((word) => NOTHING.includes(word));
}

const NOBODY =
  /^(?:no ?one|nobody|no owner|unassigned|unallocated|unowned|unknown|vacant|not (?:yet )?(?:assigned|allocated|agreed|known|named))[.]?$/i;

/** Whether an owner's cell names nobody: "TBC", "-", "Unassigned". */
export const namesNobody = (owner: string): boolean => saysNothing(owner) || NOBODY.test(owner.trim());
