// Pieces of the explorer's pages: hashes, types of blocks, the address of the chain of a lot.
import { shortHash } from '@lothub/design/copy-button';
import type { Html } from '@lothub/kit/html';
import { toBlockType } from '../../explorer/filter.ts';
import type { Payload } from '../../ledger/record/payload.ts';
import { lotPath } from '../fragments.ts';
import { eventWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';

/** A block with its contents. */
export interface SaidBlock {
  readonly height: number;
  readonly payload: Payload;
}

export function copiedHash(text: string, { words }: Reader): Html {
  return shortHash(text, words.explorer.copy);
}

/** The page of all blocks of a lot; browsers take `.` and `..` for steps in a path. */
export function lotChainPath(lotCode: string, brand?: string): string {
  return `/explorer${lotPath(lotCode, brand)}`;
}

/** Type of a block as filters and answers have it. */
export function toTypeName({ height, payload }: SaidBlock): string {
  // The reader puts an empty genesis payload where a text has none any more.
  if (payload.type === 'genesis') return height === 0 ? 'GENESIS' : 'UNREADABLE';
  if (payload.type === 'event') return payload.event.event_type;
  return toBlockType(payload.type);
}

export function typeWords(type: string, reader: Reader): string {
  return lookUpWord(reader.words.explorer.types, eventWords(type, reader));
}

/** The word of a table for a code; of one that it does not have, the code. */
export function lookUpWord(table: Readonly<Record<string, string>>, code: string): string {
  return (Object.hasOwn(table, code) ? table[code] : undefined) ?? code;
}
