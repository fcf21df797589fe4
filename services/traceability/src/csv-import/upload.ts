// Receives the file of an import: exactly one part `file` of a multipart form, streamed to disk,
// with a limit.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { App } from '../http.ts';
import { FORM_OPTIONS } from './form/options.ts';
import { asDiskFull } from './import-folder.ts';
import { FILE_NAME_CHARACTERS_MAX } from './kept/imports.ts';
import { PRIVATE_FILE_MODE } from './spool.ts';

/** Bytes of an imported file: 1 GiB. */
export const FILE_BYTES_MAX = 1_073_741_824;
/** Bytes of an imported workbook, which unpacks to more: 50 MiB. */
export const WORKBOOK_BYTES_MAX = 52_428_800;
/** Bytes of a form around its file; a larger body is refused before it is read. */
const FORM_BYTES_MAX = 65_536;
export const FILE_PART = 'file';
/** Options that belong into the query, by which a part of the form is named in an error. */
const QUERY_OPTIONS: readonly string[] = ['on_error', 'dry_run', 'sheet', ...FORM_OPTIONS];

/** Makes a scope take forms and nothing else. */
export function takeFormsOnly(app: App): void {
  app.removeAllContentTypeParsers();
  takeForms(app);
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(formRequired());
  });
  // Fastify closes the connection after a body that it did not parse; this one is read to its end.
  app.addHook('onError', (_request, reply, _error, done) => {
    if (reply.hasHeader('Connection')) reply.removeHeader('Connection');
    done();
  });
}

/** Makes a scope take forms with files, too. */
export function takeForms(app: App): void {
  app.register(multipart, {
    // A part named `file` is a file even when the client gives it no file name.
    isPartAFile: (name, _mediaType, fileName) => name === FILE_PART || fileName !== undefined,
    throwFileSizeLimit: false,
  });
}

export interface ReceivedFile {
  /** The name that the sender gives, without a path; null when it has no name. */
  readonly name: string | null;
  readonly bytes: number;
}

/**
 * Writes the uploaded file to `target`.
 * @throws Refusal `media_type_unsupported`, `body_too_large`
 * @throws DatabaseError `database_full`
 * @throws FieldsRefusal when the form has no part `file`, two of them, or another part
 */
export async function receiveFile(
  request: FastifyRequest,
  options: { readonly target: string; readonly fileBytesMax: number },
): Promise<ReceivedFile> {
  const { fileBytesMax } = options;
  if (!request.isMultipart()) throw formRequired();
  if (Number(request.headers['content-length'] ?? 0) > fileBytesMax + FORM_BYTES_MAX) {
    throw tooLarge(fileBytesMax);
  }
  // When the client is already gone, the parser would wait for the end for ever.
  if (request.raw.destroyed) throw incompleteForm();
  let received: ReceivedFile | undefined;
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytesMax } })) {
      if (part.fieldname !== FILE_PART || part.type !== 'file') {
        throw unknownPart(part.fieldname);
      }
      if (received !== undefined) {
        throw FieldsRefusal.of(['body', FILE_PART], 'Form should have one file', 'too_long');
      }
      const target = createWriteStream(options.target, { mode: PRIVATE_FILE_MODE });
      await pipeline(part.file, target);
      received = { name: shownFileName(part.filename), bytes: target.bytesWritten };
      if (part.file.truncated) throw tooLarge(fileBytesMax);
    }
  } catch (error) {
    throw toRefusal(error);
  }
  if (received === undefined) {
    throw FieldsRefusal.of(['body', FILE_PART], 'Field required', 'missing');
  }
  return received;
}

/** Some browsers send the whole path. The name is shown and opens nothing. */
function shownFileName(name: string | undefined): string | null {
  const [last = ''] = (name ?? '').toWellFormed().split(/[\\/]/).slice(-1);
  const shown = last
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, FILE_NAME_CHARACTERS_MAX);
  return shown === '' ? null : shown;
}

/** Names the part only by a word of this interface: any other name is the caller's. */
function unknownPart(name: string): FieldsRefusal {
  const loc = QUERY_OPTIONS.includes(name) ? ['body', name] : ['body'];
  const msg = `Form should have one part, \`${FILE_PART}\`; options belong into the query`;
  return FieldsRefusal.of(loc, msg, 'extra_forbidden');
}

function formRequired(): Refusal {
  return new Refusal('media_type_unsupported', 'Send the file as multipart/form-data');
}

function tooLarge(fileBytesMax: number): Refusal {
  return new Refusal('body_too_large', `The file is larger than ${fileBytesMax} bytes`);
}

/** Makes a refusal of this service from an error of the form parser. */
function toRefusal(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof FieldsRefusal) return error;
  // The disk, not the form.
  if (typeof error === 'object' && error !== null && 'syscall' in error) return asDiskFull(error);
  return incompleteForm();
}

function incompleteForm(): FieldsRefusal {
  const msg = 'Body should be a complete multipart form';
  return FieldsRefusal.of(['body'], msg, 'multipart_invalid');
}
