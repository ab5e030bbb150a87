/** A fresh directory for whatever tests write. */
export const makeScratch: () => string;
