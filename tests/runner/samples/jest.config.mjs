// What tests/runner.test.ts has the runner run: files that fail in every way there is.
export default {
  runner: '<rootDir>/../index.mjs',
  testMatch: ['<rootDir>/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testTimeout: 5000,
};
