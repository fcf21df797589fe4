/**
 * Checkpoints (c2sp.org/tlog-checkpoint): the head of a tree as a signed note, and the lines that its
 * log and its witnesses put below it (c2sp.org/tlog-cosignature).
 */
import { concatBytes, strictBase64, toBase64 } from './bytes.ts';
import { LogError } from './log-error.ts';
import { parseNote, signatureLine, type NoteSignature } from './note.ts';
import { HASH_BYTES, isTreeSize } from './tree.ts';
import { isKeyName, keyId, LOG_KEY_TYPE, WITNESS_KEY_TYPE } from './vkey.ts';

/** Bytes of an Ed25519 signature. */
export const SIGNATURE_BYTES = 64;
/** Bytes of the time in a cosignature. */
const TIME_BYTES = 8;

/** The head of a tree, which is what a checkpoint says. */
export interface TreeHead {
  /** Which log: the name of its key. */
  readonly origin: string;
  /** Leaves of the tree. */
  readonly size: number;
  /** Its root, 32 bytes. */
  readonly root: Uint8Array;
}

/** A checkpoint as it was read; its signatures are not verified. */
export interface Checkpoint extends TreeHead {
  /** What is signed: the three lines, each with its line feed. */
  readonly body: string;
  readonly signatures: readonly NoteSignature[];
}

/** What a witness said: when it saw the tree head, and the signature over both. */
export interface Cosignature {
  /** Seconds since 1970. */
  readonly time: number;
  readonly signature: Uint8Array;
}

const BODY = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/=]+)\n$/;

/**
 * The three lines of a checkpoint, each with its line feed: what a log signs.
 *
 * @throws {LogError} `checkpoint_invalid` when the origin, the size or the root cannot be in one
 */
export function checkpointBody({ origin, size, root }: TreeHead): string {
  if (!isKeyName(origin) || !isTreeSize(size) || root.length !== HASH_BYTES) {
    throw new LogError(
      'checkpoint_invalid',
      'A checkpoint needs an origin of 1 to 255 bytes without white space and plus, a size and a root of 32 bytes.',
    );
  }
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * The tree head and the signatures of a checkpoint. There are no lines but the three.
 *
 * @throws {LogError} `checkpoint_invalid`, `note_invalid` or `base64_invalid`
 */
export function parseCheckpoint(note: string): Checkpoint {
  const { text: body, signatures } = parseNote(note);
  const [, origin, sizeText, rootText] = BODY.exec(body) ?? [];
  if (origin === undefined || sizeText === undefined || rootText === undefined) {
    throw invalid('is not the three lines origin, size and root');
  }
  const size = Number(sizeText);
  const root = strictBase64(rootText);
  if (!isKeyName(origin)) throw invalid('has an origin that cannot name a key');
  if (!isTreeSize(size)) throw invalid('has a size that is too large');
  if (root.length !== HASH_BYTES) throw invalid('has a root that is not 32 bytes');
  return { origin, size, root, body, signatures };
}

/** What a witness signs: its time before the three lines. */
export function cosignatureBody(time: number, body: string): string {
  return `cosignature/v1\ntime ${time}\n${body}`;
}

/** The line of a log's own signature over {@link checkpointBody}, with its line feed. */
export function logSignatureLine(signed: {
  readonly origin: string;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}): string {
  const { origin: name, publicKey, signature } = signed;
  return signatureLine({ name, keyId: keyId({ name, type: LOG_KEY_TYPE, publicKey }), signature });
}

/** The line of a witness's signature over {@link cosignatureBody}, with its line feed. */
export function cosignatureLine(signed: {
  readonly name: string;
  readonly publicKey: Uint8Array;
  /** Seconds since 1970. */
  readonly time: number;
  readonly signature: Uint8Array;
}): string {
  const { name, publicKey, time, signature } = signed;
  const timeBytes = new Uint8Array(TIME_BYTES);
  new DataView(timeBytes.buffer).setBigUint64(0, BigInt(time));
  return signatureLine({
    name,
    keyId: keyId({ name, type: WITNESS_KEY_TYPE, publicKey }),
    signature: concatBytes(timeBytes, signature),
  });
}

/** Time and signature out of a witness's line; `undefined` when its bytes are not a cosignature. */
export function parseCosignature({ signature: bytes }: NoteSignature): Cosignature | undefined {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  const time = Number(seconds);
  return Number.isSafeInteger(time) ? { time, signature: bytes.subarray(TIME_BYTES) } : undefined;
}

function invalid(what: string): LogError {
  return new LogError('checkpoint_invalid', `The checkpoint ${what}.`);
}
