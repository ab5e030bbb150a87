// Tests mirror the source tree. One store is started for the whole run; test files share a server and a database in it.
export default {
  runner: '<rootDir>/tests/runner/index.mjs',
  testSequencer: '<rootDir>/tests/runner/longestFirst.mjs',
  reporters: ['default', '<rootDir>/tests/runner/slowest.mjs'],
  testEnvironment: 'node',
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/tests/journeys/', '/tests/runner/samples/', '/tests/mutation/sample/'],
  // The broken copy of npm run mutate.
  modulePathIgnorePatterns: ['<rootDir>/.cache/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {},
  globalSetup: '<rootDir>/tests/globalSetup.mjs',
  globalTeardown: '<rootDir>/tests/globalTeardown.mjs',
  setupFiles: ['<rootDir>/tests/setup.ts'],
  testTimeout: 60_000,
  maxWorkers: 4,
};
