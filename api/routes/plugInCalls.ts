import type { Router } from 'express';
import { type Call, FileAnswer, JsonText } from '../../bot/engine/calls/call.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { sendCompressed } from '../middleware/compressed.ts';
import { takeCallFile, uploadedFile } from '../middleware/upload.ts';

/** Binds the calls that agents and channels declare. */
export function plugInCallRoutes(router: Router, calls: readonly Call[]): void {
  for (const { contract, handle, topics } of calls) {
    bind(
      router,
      contract,
      async ({ who, params, query, body, request, response }) => {
        const file = request.file && uploadedFile(request.file);
        const answer = await handle({ who, params, query, body, file });
        if (answer instanceof JsonText) await sendCompressed(request, response.type('application/json'), answer.bytes);
        else if (answer instanceof FileAnswer) {
          if (!topics) response.set('Cache-Control', 'no-store');
          response.attachment(answer.fileName).type(answer.contentType).send(Buffer.from(answer.bytes));
        } else return answer;
        return ANSWERED;
      },
      { ...(topics ? { topics } : {}), ...(contract.upload ? { before: takeCallFile(contract.upload) } : {}) },
    );
  }
}
