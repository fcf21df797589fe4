// Receives the file of an import: exactly one part `file` of a multipart form, streamed to disk,
// with a limit.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { FieldsRefusal, Refusal } from '../errors.ts';
import { PRIVATE_FILE_MODE } from './spool.ts';

/** Bytes of an imported file: 1 GiB. */
export const FILE_BYTES_MAX = 1_073_741_824;
/** Bytes of a form around its file; a larger body is refused before it is read. */
const FORM_BYTES_MAX = 65_536;
export const FILE_PART = 'file';

/**
 * Writes the uploaded file to `target`.
 * @throws Refusal `media_type_unsupported`, `body_too_large`
 * @throws FieldsRefusal when the form has no part `file`, two of them, or another part
 */
export async function receiveFile(
  request: FastifyRequest,
  options: { readonly target: string; readonly fileBytesMax: number },
): Promise<void> {
  const { fileBytesMax } = options;
  if (!request.isMultipart()) throw formRequired();
  if (Number(request.headers['content-length'] ?? 0) > fileBytesMax + FORM_BYTES_MAX) {
    throw tooLarge(fileBytesMax);
  }
  // Of a client that is gone already the parser would wait for the end for ever.
  if (request.raw.destroyed) throw incompleteForm();
  let received = false;
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytesMax } })) {
      if (part.fieldname !== FILE_PART || part.type !== 'file') {
        throw FieldsRefusal.of(
          ['body', part.fieldname],
          'Extra inputs are not permitted',
          'extra_forbidden',
        );
      }
      if (received) {
        throw FieldsRefusal.of(['body', FILE_PART], 'Form should have one file', 'too_long');
      }
      received = true;
      await pipeline(part.file, createWriteStream(options.target, { mode: PRIVATE_FILE_MODE }));
      if (part.file.truncated) throw tooLarge(fileBytesMax);
    }
  } catch (error) {
    throw refusalOf(error);
  }
  if (!received) throw FieldsRefusal.of(['body', FILE_PART], 'Field required', 'missing');
}

export function formRequired(): Refusal {
  return new Refusal('media_type_unsupported', 'Send the file as multipart/form-data');
}

function tooLarge(fileBytesMax: number): Refusal {
  return new Refusal('body_too_large', `The file is larger than ${fileBytesMax} bytes`);
}

/** What the form parser calls wrong, in the words of this service. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof FieldsRefusal) return error;
  // The disk, not the form.
  if (typeof error === 'object' && error !== null && 'syscall' in error) return error;
  return incompleteForm();
}

function incompleteForm(): FieldsRefusal {
  const msg = 'Body should be a complete multipart form';
  return FieldsRefusal.of(['body'], msg, 'multipart_invalid');
}
