// Errors of this service that say what happened and end a command with code 1.
import { NoteKeyError } from '@lothub/note-key';
import { WitnessError } from '@lothub/witness/witness-error';
import { KeyBoundError, KeyNotFoundError } from '../keys/key-store.ts';
import { LogRefused } from '../ledger/operate/log-refused.ts';
import { RebuildRefused } from '../ledger/rebuild/refused.ts';

export const EXPECTED_ERRORS = [
  KeyBoundError,
  KeyNotFoundError,
  LogRefused,
  NoteKeyError,
  RebuildRefused,
  WitnessError,
] as const;
