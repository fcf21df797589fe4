// What a request says of its body: JSON in UTF-8, as it is. Anything else is refused before the body is
// read.
import { ACCEPTED_ENCODING, isEncoded } from '@lothub/kit/http/content-encoding';
import type { FastifyRequest } from 'fastify';
import { MIMEType } from 'node:util';
import { Problem } from './errors.ts';

const JSON_TYPE = 'application/json';
/** How nearly all requests have it; others are worth a parser. */
const USUAL = new Set([JSON_TYPE, 'application/json; charset=utf-8']);
const NAME = 'content-type';

/** @throws Problem `media_type_unsupported` */
export function assertJsonRequest(request: Pick<FastifyRequest, 'headers' | 'raw'>): void {
  const type = request.headers[NAME];
  if (type === undefined) {
    throw unsupported('The Content-Type header is missing: send application/json');
  }
  if (!USUAL.has(type)) {
    const advice = 'Send Content-Type: application/json';
    if (parseMediaType(type, advice) !== JSON_TYPE) throw unsupported(advice);
  }
  assertPlainBody(request);
}

/**
 * As `type/subtype`, in lower case.
 * @param advice what to send instead
 * @throws Problem `media_type_unsupported` for what is no media type, and for another charset than UTF-8
 */
export function parseMediaType(text: string, advice: string): string {
  const type = parsed(text);
  if (type === undefined) throw unsupported(advice);
  const charset = type.params.get('charset');
  if (charset !== null && charset.toLowerCase() !== 'utf-8') {
    throw unsupported('Send the body in UTF-8, with charset=utf-8 or none');
  }
  return type.essence;
}

/**
 * That a request says once what its body is, and has it as it is.
 * @throws Problem `media_type_unsupported`
 */
export function assertPlainBody({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): void {
  if (repeats(raw.rawHeaders)) {
    throw unsupported('There are two Content-Type headers: send one');
  }
  if (isEncoded(headers)) {
    const detail = 'The body is encoded: send it as it is, without Content-Encoding';
    throw unsupported(detail, ACCEPTED_ENCODING);
  }
}

function parsed(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined; // It is no media type at all.
  }
}

/** Node keeps the first of several. */
function repeats(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === NAME.length && name.toLowerCase() === NAME) count += 1;
  }
  return count > 1;
}

export function unsupported(
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Problem {
  return new Problem('media_type_unsupported', detail, { headers });
}
