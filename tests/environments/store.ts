// For test files with `@environment store`: no server is started, because each file connects to its own store.
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('store');
