// Signs with the keys of the log: one line for each key, verified before it is returned. Pure.
import assert from 'node:assert/strict';
import { checkpointBody, noteText, signatureLine, type TreeHead } from '@lothub/chain/log';
import type { NoteKey } from '@lothub/note-key';

/**
 * Signs a checkpoint with one or two keys of the log; the bytes depend only on the head and the
 * keys.
 */
export function signedNote(head: TreeHead, keys: readonly NoteKey[]): string {
  return signedText(checkpointBody(head), keys);
}

/** A note of some text; each key signs under its own name. */
export function signedText(body: string, keys: readonly NoteKey[]): string {
  const lines = keys.map((key) => {
    const signature = key.sign(body);
    assert(key.verifies(body, signature), 'a signature of the log does not verify');
    return signatureLine({ name: key.name, keyId: key.keyId, signature });
  });
  return noteText(body, lines);
}
