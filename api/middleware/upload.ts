import type { RequestHandler } from 'express';
import multer from 'multer';
import { UPLOAD_FIELD } from '../../models/contracts/chat.ts';
import { AppError } from '../../models/contracts/errors.ts';
import { isUploadType, UPLOAD_TYPE_REFUSED } from '../../models/contracts/files.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { plainFileName } from '../../models/fileName.ts';
import { whoIs } from './session.ts';

/** Turns untyped errors of the multipart parser into `broken_upload`: they are the sender's, not server faults. */
const orBroken =
  (receive: RequestHandler): RequestHandler =>
  (request, response, next) =>
    receive(request, response, (error?: unknown) =>
      next(
        !error || error instanceof AppError || error instanceof multer.MulterError
          ? error
          : new AppError('broken_upload', {}, { cause: error }),
      ),
    );

const receive = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: LIMITS.uploadBytes, files: 1, fields: 10, fieldSize: 1024 },
  fileFilter(_request, file, decide) {
    if (isUploadType(file.originalname, file.mimetype)) decide(null, true);
    else decide(new AppError('invalid_file_type', {}, { fields: { [UPLOAD_FIELD]: UPLOAD_TYPE_REFUSED } }));
  },
}).single(UPLOAD_FIELD);

const requireSession: RequestHandler = async (request, _response, next) => {
  if (!(await whoIs(request))) throw new AppError('not_signed_in');
  next();
};

/** Accepts the upload of a file for the agents; the body is not read before the sender is known. */
export const takeUpload: RequestHandler[] = [requireSession, orBroken(receive)];

/** Accepts a document for the sandbox workspace; its content is checked by the handler. */
export const takeDocument: RequestHandler[] = [
  requireSession,
  orBroken(
    multer({
      storage: multer.memoryStorage(),
      limits: { fileSize: LIMITS.uploadBytes, files: 1, fields: 10, fieldSize: 1024 },
    }).single('document'),
  ),
];

/** Accepts one file in a field of a plug-in's call, whose handler checks its content. A body without a file stays JSON. */
export const takeCallFile = (field: string): RequestHandler[] => [
  requireSession,
  orBroken(
    multer({
      storage: multer.memoryStorage(),
      limits: { fileSize: LIMITS.uploadBytes, files: 1, fields: 10, fieldSize: 1024 },
    }).single(field),
  ),
];

/**
 * The uploaded file's name, without folders, and its bytes.
 * @throws AppError no_file
 */
export function uploadedFile(file: Express.Multer.File | undefined): { fileName: string; bytes: Uint8Array } {
  if (!file) throw new AppError('no_file');
  // multer decodes the header as latin-1, but browsers send UTF-8.
  const name = Buffer.from(file.originalname, 'latin1').toString('utf8');
  const fileName = plainFileName(name.includes('\uFFFD') ? file.originalname : name);
  return { fileName, bytes: file.buffer };
}
