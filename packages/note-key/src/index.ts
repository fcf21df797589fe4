/**
 * Private keys of signed notes and their files: what a log signs its checkpoints with, and a witness
 * its cosignatures. Uses Node's cryptography and the formats of `@lothub/chain/log`.
 */
export { makeNoteKey, readNoteKey } from './key-file.ts';
export { namingHost } from './naming-host.ts';
export { NoteKeyError } from './note-key-error.ts';
export type { NoteKeyErrorCode } from './note-key-error.ts';
export { NoteKey, parseNoteKey } from './note-key.ts';
export { signatureVerifier } from './ed25519.ts';
export type { SignatureVerifier } from './ed25519.ts';
