// The kind is registered before the server starts, like those of its agents.
import '../factories/registerMadeUpKind.ts';
import '../../api/start.ts';
