// Methods of Node's Buffer that its types leave out: the parts of toString and write without their checks.
declare global {
  interface Buffer<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> extends Uint8Array<TArrayBuffer> {
    utf8Slice(start?: number, end?: number): string;
    latin1Slice(start?: number, end?: number): string;
    utf8Write(text: string, offset?: number): number;
    latin1Write(text: string, offset?: number): number;
  }
}

export {};
