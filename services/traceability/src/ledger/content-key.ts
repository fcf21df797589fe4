// The key of an imported event's public content, made again from its block. An event without an
// external id is known by it, so that a file imported twice adds nothing.
import { sha256Hex } from '@lothub/kit/hash';
import type { ChainEvent } from './payload.ts';

/**
 * SHA-256 hex of the event's canonical text without its commitments, which are salted and so differ
 * each time. Members keep the order of the hashed text, so JSON.stringify writes them as they stood.
 */
export function contentKeyOf(event: ChainEvent): string {
  const { private: _notes, ...open } = event;
  const lines = event.lines.map(({ private: _line, ...line }) => line);
  return sha256Hex(JSON.stringify({ ...open, lines }));
}
