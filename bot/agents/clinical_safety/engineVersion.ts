/** Standard and version that the rules and the matrix follow; written into every result and document. */
export const STANDARD = 'DCB0129 4.2';
/** Raised with every change that can alter a result. */
export const ENGINE_VERSION = '1.16.0';
