/** A file that can't be processed: a code for programs, a sentence for people. */
export class FileError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'FileError';
    this.code = code;
  }
}
