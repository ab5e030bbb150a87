// The kind is known before the server starts, as those of its agents are.
import '../factories/registerMadeUpKind.ts';
import '../../api/start.ts';
