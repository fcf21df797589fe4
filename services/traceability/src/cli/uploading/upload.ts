// Sends one file as a multipart form, from disk to the socket without being held in memory. Not
// fetch(): it gives up on an answer after five minutes, and the hub answers when all is stored.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { CommandError, formatReason } from '@lothub/kit/cli/command-error';
import { jsonOrText, unreachable, type HubAnswer } from '../hub-client.ts';

export interface UploadOptions {
  readonly base: string;
  /** The path from the base, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: string;
  readonly mediaType: string;
  /** Name of the form's field. */
  readonly field: string;
  readonly signal: AbortSignal;
  /** Receives the number of bytes of the file that the socket has accepted. */
  readonly onBytes: (sent: number, total: number) => void;
}

/**
 * The hub's answer, also when it came before the whole file was sent.
 * @throws CommandError `file_unreadable`, `hub_unreachable`
 */
export async function uploadFile(
  options: UploadOptions,
): Promise<HubAnswer & { readonly retryAfter: string | null }> {
  const size = await readSize(options.file);
  const form = multipartFrame(options);
  const url = new URL(options.base + options.path);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method: 'POST',
    signal: options.signal,
    headers: {
      ...options.headers,
      Accept: 'application/json',
      'Content-Type': `multipart/form-data; boundary=${form.boundary}`,
      'Content-Length': form.head.length + size + form.tail.length,
    },
  });
  const answered = awaitResponse(request);
  // A failure ends the request with an error, which rejects `answered` unless the response came
  // first.
  pipeline(Readable.from(parts(options, { size, ...form })), request).catch(() => undefined);
  try {
    const response = await answered;
    return {
      status: response.statusCode ?? 0,
      body: jsonOrText(await text(response)),
      retryAfter: response.headers['retry-after'] ?? null,
    };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw unreachable(options.base, { method: 'POST', path: options.path }, error);
  } finally {
    request.destroy();
  }
}

interface Frame {
  readonly boundary: string;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Makes the parts before and after the file in the body (RFC 7578). */
function multipartFrame(options: Pick<UploadOptions, 'field' | 'file' | 'mediaType'>): Frame {
  const boundary = `lothub-${randomUUID()}`;
  const name = basename(options.file).replace(/["\r\n]/g, '_');
  const head =
    `--${boundary}\r\n` +
    `Content-Disposition: form-data; name="${options.field}"; filename="${name}"\r\n` +
    `Content-Type: ${options.mediaType}\r\n\r\n`;
  return { boundary, head: Buffer.from(head), tail: Buffer.from(`\r\n--${boundary}--\r\n`) };
}

async function* parts(
  options: UploadOptions,
  body: Frame & { readonly size: number },
): AsyncGenerator<Buffer> {
  yield body.head;
  let sent = 0;
  if (body.size > 0) {
    // A file that grows meanwhile is sent only up to its announced size.
    const stream = createReadStream(options.file, { end: body.size - 1 });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      options.onBytes(sent, body.size);
    }
  }
  if (sent !== body.size) {
    throw new CommandError(
      'file_unreadable',
      `reading ${options.file}: it became shorter while it was sent; nothing was imported`,
    );
  }
  yield body.tail;
}

async function awaitResponse(request: ClientRequest): Promise<IncomingMessage> {
  return await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // The listener stays as long as the request, which may break after the response.
    request.on('error', reject);
  });
}

/** The first bytes of a file. @throws CommandError `file_unreadable` */
export async function readStart(file: string, bytes: number): Promise<Buffer> {
  try {
    await using handle = await open(file, 'r');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): CommandError {
  return new CommandError('file_unreadable', `reading ${file}: ${formatReason(error)}`, {
    cause: error,
  });
}
