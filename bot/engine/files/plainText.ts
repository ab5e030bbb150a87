/** A text without characters that neither a sheet nor a document can hold. */
export const plainText = (text: string): string =>
  [...text.normalize('NFC')]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = code < 32 && code !== 9 && code !== 10;
      return !isControl && code !== 127 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
    })
    .join('');
