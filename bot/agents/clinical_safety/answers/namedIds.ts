const isLetter = (text: string) => /[A-Z]/.test(text);
const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Words that may stand between "hazard" and its number: "hazard number 12". */
const BETWEEN = ['', 'NUMBER ', 'NO ', 'NO. ', 'ID ', '#'];

/** Does the text hold the id as a whole word? Ids come out of files, so they are compared and never made a pattern. */
function holdsWhole(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const before = text[at - 1];
    const partOfMore = (isWordCharacter(id[0]) && isWordCharacter(before)) || before === '-';
    if (!partOfMore && !(isWordCharacter(id.at(-1)) && isWordCharacter(text[at + id.length]))) return true;
  }
  return false;
}

/**
 * Tells which ids a question names. An id with letters and digits ("NRL-04") counts wherever it stands; a bare number
 * or word ("12", "Fire") only behind what it is: "hazard 12", "ticket 12".
 */
export function idFinder(question: string, what: 'hazard' | 'ticket'): (id: string) => boolean {
  const text = question.toUpperCase();
  const noun = what.toUpperCase();
  return (given) => {
    const id = given.trim().toUpperCase();
    if (!id || id.length > text.length) return false;
    if (isLetter(id) && /\d/.test(id)) return holdsWhole(text, id);
    return BETWEEN.some((words) => holdsWhole(text, `${noun} ${words}${id}`));
  };
}
