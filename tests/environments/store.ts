// What a process is started with whose test files say `@environment store`: no server, for each connects by itself.
import { mustBe } from '../runner/environment.mjs';

mustBe('store');
