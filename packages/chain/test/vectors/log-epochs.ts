/** Epoch statements, good ones and changed ones, with what a verifier must answer. */
import {
  EMPTY_FRONTIER,
  EMPTY_MARK,
  epochStatementBody,
  appendLeaves,
  leafHash,
  bytesOfHex,
  computeRoot,
  formatVkey,
  type EpochStatement,
  type TreeMark,
} from '../../src/log/index.ts';
import { LOG_KEY, ORIGIN } from '../log/evidence-maker.ts';
import { sha256Bytes } from '../log/naive-tree.ts';
import { signedNote, testKey, type TestKey } from '../log/test-keys.ts';
import { plainChain } from './chain-maker.ts';

export type EpochVector = {
  readonly name: string;
  /** Keys of the old log that the reader believes in. */
  readonly old_vkeys: readonly string[];
  readonly statement: string;
  /** `believed`, `malformed`, or why it is not believed. */
  readonly expect: 'believed' | 'malformed' | 'unknown_key' | 'bad_signature' | 'same_key';
};

export const NEXT_ORIGIN = 'trace.example.com/log/2';
export const NEXT_KEY = testKey(0x60);
const OLD_VKEY = formatVkey(ORIGIN, LOG_KEY.publicKey);
const STRANGER = testKey(0x70);

/** The tree over the first blocks of a plain chain. */
export function markAt(size: number): TreeMark {
  const leaves = plainChain(13)
    .slice(0, size)
    .map((block) => leafHash(bytesOfHex(block.block_hash), sha256Bytes));
  return { size, root: computeRoot(appendLeaves(EMPTY_FRONTIER, leaves, sha256Bytes), sha256Bytes) };
}

const RESTORED: EpochStatement = {
  old: ORIGIN,
  vkey: formatVkey(NEXT_ORIGIN, NEXT_KEY.publicKey),
  last: markAt(9),
  common: markAt(7),
  reason: 'restore',
  at: '2026-11-22T08:00:00Z',
};

/** A statement by the old key and the new one; `changes` replace members. */
export function epochNote(
  changes: Partial<EpochStatement> = {},
  by: { readonly old?: TestKey | 'none'; readonly next?: TestKey } = {},
): string {
  const { old = LOG_KEY, next = NEXT_KEY } = by;
  const statement = { ...RESTORED, ...changes };
  const [origin = ''] = statement.vkey.split('+', 1);
  return signedNote(epochStatementBody(statement), [
    ...(old === 'none' ? [] : [{ name: statement.old, key: old }]),
    { name: origin, key: next },
  ]);
}

export function makeEpochs(): readonly EpochVector[] {
  return [...good(), ...unbelieved(), ...malformed()];
}

function vector(
  name: string,
  statement: string,
  expect: EpochVector['expect'],
  oldVkeys: readonly string[] = [OLD_VKEY],
): EpochVector {
  return { name, old_vkeys: oldVkeys, statement, expect };
}

function good(): readonly EpochVector[] {
  const rotated = formatVkey(ORIGIN, STRANGER.publicKey);
  const elsewhere = 'hub.example.org/log/2';
  return [
    vector('a backup was restored', epochNote(), 'believed'),
    vector('signed by one of two old keys', epochNote(), 'believed', [rotated, OLD_VKEY]),
    vector('nothing is known to be common', epochNote({ common: EMPTY_MARK }), 'believed'),
    vector('nothing is lost', epochNote({ common: markAt(9), reason: 'key_stolen' }), 'believed'),
    vector(
      'another name',
      epochNote({ vkey: formatVkey(elsewhere, NEXT_KEY.publicKey), reason: 'renamed' }),
      'believed',
    ),
    vector('without the lost key', epochNote({ reason: 'key_lost' }, { old: 'none' }), 'believed'),
  ];
}

function unbelieved(): readonly EpochVector[] {
  return [
    vector('by an old key that nobody knows', epochNote({}, { old: STRANGER }), 'unknown_key'),
    vector('no old key is believed', epochNote(), 'unknown_key', []),
    vector('by another new key', epochNote({}, { next: STRANGER }), 'unknown_key'),
    vector('of another reason than was signed', changed('restore', 'renamed'), 'bad_signature'),
    vector('of another day than was signed', changed('11-22', '11-23'), 'bad_signature'),
    vector('of another size than was signed', changed('last 9', 'last 8'), 'bad_signature'),
    vector(
      'the old key goes on',
      epochNote({ vkey: formatVkey(NEXT_ORIGIN, LOG_KEY.publicKey) }, { next: LOG_KEY }),
      'same_key',
    ),
  ];
}

function malformed(): readonly EpochVector[] {
  const note = epochNote();
  const lines = note.split('\n');
  const withoutOld = lines.filter((line) => !line.startsWith(`\u2014 ${ORIGIN} `)).join('\n');
  const [oldLine = '', newLine = ''] = lines.filter((line) => line.startsWith('\u2014'));
  const swapped = note.replace(`${oldLine}\n${newLine}`, `${newLine}\n${oldLine}`);
  return [
    vector('without the old key, which is not lost', withoutOld, 'malformed'),
    vector('signatures in another order', swapped, 'malformed'),
    vector('a third signature', `${note}${newLine}\n`, 'malformed'),
    vector('of a later format', changed('epoch/1', 'epoch/2'), 'malformed'),
    vector('a line more', changed('reason', 'because x\nreason'), 'malformed'),
    vector('a reason that is none', changed('restore', 'because'), 'malformed'),
    vector('a day that no month has', changed('11-22', '11-31'), 'malformed'),
    vector('more in common than there was', changed('last 9', 'last 6'), 'malformed'),
    vector('a leading zero', changed('common 7', 'common 07'), 'malformed'),
    vector('the same name', changed(`new ${NEXT_ORIGIN} `, `new ${ORIGIN} `), 'malformed'),
    vector('no signature', note.slice(0, note.indexOf('\u2014')), 'malformed'),
  ];
}

function changed(from: string, to: string): string {
  return epochNote().replace(from, to);
}
