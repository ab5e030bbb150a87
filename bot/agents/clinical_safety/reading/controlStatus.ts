/** Words for a control that is not there: only intended, or decided against. */
const NOT_IN_PLACE =
  /^(?:planned|proposed|suggested|recommended|rejected|declined|withdrawn|cancelled|not (?:yet )?(?:started|implemented|in place|done|accepted|approved)|to do|to be (?:done|implemented|agreed)|draft|future|backlog|no|not (?:built|live)|designed,? not live|missing|absent|geplant|vorgeschlagen|abgelehnt|verworfen|nicht (?:umgesetzt|begonnen)|prévue?s?|planifiée?s?|proposée?s?|rejetée?s?|à faire|gepland|voorgesteld|afgewezen|niet gestart|planerade?|föreslagen|avvisad|ej införd|planlagt|foreslått|foreslået|avvist|afvist|ikke (?:startet|gennemført|gjennomført)|previst[ao]s?|pianificat[ao]|propuest[ao]s?|rifiutat[ao])\b[.\s]*$/i;

/**
 * Whether the status of a control says that it is not in place: planned, proposed or rejected. "Open" and "in progress"
 * say nothing certain.
 */
export const saysNotInPlace = (status: string): boolean => NOT_IN_PLACE.test(status.trim());
