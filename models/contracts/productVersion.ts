/** The product's version, as in package.json and CHANGELOG.md; `tests/docs.test.ts` holds them together. */
export const PRODUCT_VERSION = '0.2.0';
