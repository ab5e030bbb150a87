// Runs in every test file before it: nothing here may start anything.
process.env.NODE_ENV ??= 'test';
