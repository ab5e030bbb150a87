import { plainText } from '../../../engine/files/plainText.ts';

const MAX_NAME_CHARACTERS = 60;

/** A product's name as a file name holds it: letters, digits, spaces, points and hyphens. */
export const fileNameOf = (name: string): string =>
  [
    ...plainText(name)
      .replace(/[^\p{L}\p{N} .-]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+/, '')
      .trim(),
  ]
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
    .trim() || 'Product';
