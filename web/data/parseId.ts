const ID = /^[1-9]\d{0,14}$/;

/** The id that an address names; null where it names none, or something that no id can be. */
export const parseId = (text: string | null | undefined): number | null =>
  text && ID.test(text) ? Number(text) : null;
