// Bodies that are compressed or encoded otherwise: no service of ours reads them.
import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110, section 12.5.3: what a refusal says of the encodings that are understood. */
export const ACCEPTED_ENCODING = { 'Accept-Encoding': 'identity' } as const;

/** Whether a request says that its body is encoded. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}
