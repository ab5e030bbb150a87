// Runs the samples of tests/runner.test.ts: test files that fail in each possible way.
export default {
  runner: '<rootDir>/../index.mjs',
  testMatch: ['<rootDir>/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testTimeout: 5000,
};
