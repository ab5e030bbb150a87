import { registerQuestionKind } from '../../bot/engine/questions/kinds/index.ts';
import { valveCheck } from './madeUpKind.ts';

registerQuestionKind(valveCheck);
