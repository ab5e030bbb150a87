const isLetter = (text: string) => /[A-Z]/.test(text);
const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Words allowed between "hazard" and its number: "hazard number 12". */
const BETWEEN = ['', 'NUMBER ', 'NO ', 'NO. ', 'ID ', '#'];

/** Whether the text contains the id as a whole word. Ids come from files, so they never become part of a pattern. */
function containsWhole(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const before = text[at - 1];
    const isPartOfWord = (isWordCharacter(id[0]) && isWordCharacter(before)) || before === '-';
    if (!isPartOfWord && !(isWordCharacter(id.at(-1)) && isWordCharacter(text[at + id.length]))) return true;
  }
  return false;
}

/**
 * Makes a test for the ids that a question names. An id with letters and digits ("NRL-04") counts anywhere; a bare
 * number or word ("12", "Fire") only after its noun: "hazard 12", "ticket 12".
 */
export function idFinder(question: string, what: 'hazard' | 'ticket'): (id: string) => boolean {
  const text = question.toUpperCase();
  const noun = what.toUpperCase();
  return (given) => {
    const id = given.trim().toUpperCase();
    if (!id || id.length > text.length) return false;
    if (isLetter(id) && /\d/.test(id)) return containsWhole(text, id);
    return BETWEEN.some((words) => containsWhole(text, `${noun} ${words}${id}`));
  };
}
