/**
 * Statements that a log continues under another name and key (docs/chain-format.md#epochs): signed
 * notes by the old key and the new one.
 */
import { sameBytes, strictBase64, toBase64, utf8 } from './bytes.ts';
import { SIGNATURE_BYTES } from './checkpoint.ts';
import type { VerifySignature } from './judge-checkpoint.ts';
import { LogError } from './log-error.ts';
import { parseNote, type NoteSignature } from './note.ts';
import { computeRoot, EMPTY_FRONTIER, HASH_BYTES, isTreeSize } from './tree.ts';
import { sha256 } from '../sha256.ts';
import { isKeyName, LOG_KEY_TYPE, parseVkey, type VerifierKey } from './vkey.ts';

/** Why a log continued under another name. */
export const EPOCH_REASONS = ['restore', 'failover', 'key_lost', 'key_stolen', 'renamed'] as const;
export type EpochReason = (typeof EPOCH_REASONS)[number];

/** The head of a tree, whichever log signed it. */
export interface TreeMark {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** The tree without any entry: what both logs have in common when nothing else is known. */
export const EMPTY_MARK: TreeMark = { size: 0, root: computeRoot(EMPTY_FRONTIER, sha256) };

/** What a statement says. */
export interface EpochStatement {
  /** Origin of the log that ended. */
  readonly old: string;
  /** Verifier key of the log that continues; its name is the origin. */
  readonly vkey: string;
  /** The largest tree of the old log that the operator knows of. */
  readonly last: TreeMark;
  /** The largest tree that both logs are known to share. */
  readonly common: TreeMark;
  readonly reason: EpochReason;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
}

/** A statement as it was read; its signatures are not verified. */
export interface ParsedEpochStatement extends EpochStatement {
  /** Origin of the log that continues. */
  readonly new: string;
  /** The key in the statement. */
  readonly newKey: VerifierKey;
  /** What is signed: seven lines, each with its line feed. */
  readonly body: string;
  /** Of the old log; absent only with the reason `key_lost`. */
  readonly oldSignature: NoteSignature | undefined;
  readonly newSignature: NoteSignature;
}

/** Why a well-formed statement is not believed. */
export type EpochRefusal = 'unknown_key' | 'bad_signature' | 'same_key';

const OPENING = 'lothub/epoch/1';
const SIZE = '(0|[1-9][0-9]{0,15})';
const ROOT = '([A-Za-z0-9+/]{43}=)';
const BODY = new RegExp(
  [
    `^${OPENING}`,
    'old ([^ \\n]+)',
    'new ([^ \\n]+) ([^ \\n]+)',
    `last ${SIZE} ${ROOT}`,
    `common ${SIZE} ${ROOT}`,
    `reason (${EPOCH_REASONS.join('|')})`,
    'at ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\\n$',
  ].join('\\n'),
);

/**
 * The lines of a statement, each with its line feed: what both keys sign.
 *
 * @throws {LogError} `epoch_invalid` when what comes out is no statement
 */
export function epochStatementBody(statement: EpochStatement): string {
  const { old, vkey, last, common, reason, at } = statement;
  const [origin] = vkey.split('+', 1);
  const lines = [
    OPENING,
    `old ${old}`,
    `new ${origin} ${vkey}`,
    `last ${last.size} ${toBase64(last.root)}`,
    `common ${common.size} ${toBase64(common.root)}`,
    `reason ${reason}`,
    `at ${at}`,
  ];
  const body = `${lines.join('\n')}\n`;
  readBody(body);
  return body;
}

/**
 * Reads a statement strictly. No signature is verified.
 *
 * @throws {LogError} `epoch_invalid`, `note_invalid`, `vkey_invalid` or `base64_invalid`
 */
export function parseEpochStatement(note: string): ParsedEpochStatement {
  const { text: body, signatures } = parseNote(note);
  const statement = readBody(body);
  const [first, second, ...others] = signatures;
  const isAlone = second === undefined;
  const newSignature = isAlone ? first : second;
  const oldSignature = isAlone ? undefined : first;
  if (newSignature === undefined || others.length > 0) {
    throw invalid('is not signed by the old key and the new key, in this order');
  }
  if (isAlone && statement.reason !== 'key_lost') {
    throw invalid('lacks the signature of the old key, which only a lost key may');
  }
  if (
    newSignature.name !== statement.new ||
    (oldSignature?.name ?? statement.old) !== statement.old
  )
    throw invalid('is signed under other names than the two logs have');
  return { ...statement, body, oldSignature, newSignature };
}

type ReadStatement = Omit<ParsedEpochStatement, 'body' | 'oldSignature' | 'newSignature'>;

function readBody(body: string): ReadStatement {
  const [, old, origin, vkey, lastSize, lastRoot, commonSize, commonRoot, reason, at] =
    BODY.exec(body) ?? [];
  if (old === undefined || vkey === undefined || at === undefined || !isReason(reason)) {
    throw invalid(`is not the seven lines of ${OPENING}`);
  }
  const newKey = parseVkey(vkey);
  if (newKey.type !== LOG_KEY_TYPE || newKey.name !== origin) {
    throw invalid('gives another name or type to the key of the new log');
  }
  if (!isKeyName(old) || old === origin) throw invalid('has no two names of logs');
  const last = parseMark(lastSize, lastRoot);
  const common = parseMark(commonSize, commonRoot);
  if (common.size > last.size) throw invalid('has more in common than the old log had');
  if (common.size === last.size && !sameBytes(common.root, last.root)) {
    throw invalid('has two roots for one size');
  }
  if (!isInstant(at)) throw invalid('has no date');
  return { old, new: origin, newKey, vkey, last, common, reason, at };
}

/**
 * Whether a statement is signed by a key of the old log and by the key that it names. Without the
 * signature of the old key (`key_lost`) that is the new key alone: then who believes it must have the
 * new key from elsewhere.
 *
 * @param by `oldKeys`: keys of the old log that the reader believes in; of other names none counts
 * @returns undefined when it is
 */
export async function judgeEpochStatement(
  statement: ParsedEpochStatement,
  by: { readonly oldKeys: readonly VerifierKey[]; readonly verify: VerifySignature },
): Promise<EpochRefusal | undefined> {
  const { newKey, oldSignature, newSignature, old } = statement;
  if (by.oldKeys.some(({ publicKey }) => sameBytes(publicKey, newKey.publicKey))) return 'same_key';
  if (newSignature.keyId !== newKey.keyId) return 'unknown_key';
  const isSigned = async (line: NoteSignature, { publicKey }: VerifierKey): Promise<boolean> => {
    const { signature } = line;
    if (signature.length !== SIGNATURE_BYTES) return false;
    return await by.verify({ publicKey, message: utf8(statement.body), signature });
  };
  if (!(await isSigned(newSignature, newKey))) return 'bad_signature';
  if (oldSignature === undefined) return undefined;
  const oldKey = by.oldKeys.find(
    (key) => key.type === LOG_KEY_TYPE && key.name === old && key.keyId === oldSignature.keyId,
  );
  if (oldKey === undefined) return 'unknown_key';
  return (await isSigned(oldSignature, oldKey)) ? undefined : 'bad_signature';
}

/** `/log/epochs`: each statement behind a line with its number. */
export function epochListText(
  epochs: readonly { readonly epoch: number; readonly note: string }[],
): string {
  return epochs.map(({ epoch, note }) => `=== ${epoch}\n${note}`).join('');
}

/** Most statements that are read of one list; an epoch is a bad day of the operator. */
export const EPOCHS_MAX = 1_000;

/**
 * The statements of a list, ascending. No signature is verified.
 *
 * @throws {LogError} `epoch_invalid` when it is not such a list; and as `parseEpochStatement`
 */
export function parseEpochList(
  text: string,
): readonly { readonly epoch: number; readonly note: string }[] {
  if (text === '') return [];
  const [before, ...parts] = text.split(/^=== /m);
  if (before !== '' || parts.length > EPOCHS_MAX) {
    throw invalid(`list is not one of at most ${EPOCHS_MAX} notes behind lines "=== number"`);
  }
  let last = 1;
  return parts.map((part) => {
    const [, number, note] = /^([1-9][0-9]{0,8})\n([^]+)$/.exec(part) ?? [];
    if (number === undefined || note === undefined || Number(number) <= last) {
      throw invalid('list has a number that is none, or is not greater than the one before');
    }
    last = Number(number);
    parseEpochStatement(note);
    return { epoch: last, note };
  });
}

function parseMark(size: string | undefined, root: string | undefined): TreeMark {
  const mark = { size: Number(size), root: strictBase64(root ?? 'none') };
  if (!isTreeSize(mark.size) || mark.root.length !== HASH_BYTES) throw invalid('has no tree heads');
  if (mark.size === 0 && !sameBytes(mark.root, EMPTY_MARK.root)) {
    throw invalid('has a root for a tree without entries');
  }
  return mark;
}

function isReason(reason: string | undefined): reason is EpochReason {
  return EPOCH_REASONS.some((known) => known === reason);
}

/** A day that the calendar has. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().replace('.000Z', 'Z') === text;
}

function invalid(what: string): LogError {
  return new LogError('epoch_invalid', `The epoch statement ${what}.`);
}
