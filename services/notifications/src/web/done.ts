// What a page says after something was done on it: a closed list of words, named in its address.
import { doneWordsIn, withDone as markDone } from '@lothub/design/done-mark';

const WORDS = {
  acknowledged: 'Acknowledged.',
  'all-read': 'Everything up to here is read.',
  erased: 'Your account is erased.',
  'group-left': 'You have left the group.',
  'group-saved': 'The group is saved.',
  'invitation-revoked': 'The invitation is withdrawn; its link no longer works.',
  'key-revoked': 'The key is revoked; posts with it are refused from now on.',
  'key-saved': 'The key is saved.',
  'logged-out': 'You are logged out.',
  'member-removed': 'The member is removed from the group.',
  'name-saved': 'Your name is saved.',
  'password-saved': 'Your password is changed. All your other sessions have ended.',
  replayed: 'The delivery is sent again.',
  'role-saved': 'The role is changed.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All your other sessions have ended.',
  'test-sent': 'The test notification is sent.',
  'token-revoked': 'The token is revoked.',
  'webhook-deleted': 'The webhook is deleted.',
  'webhook-saved': 'The webhook is saved.',
} as const;

export type Done = keyof typeof WORDS;

/** An address that says what was done. */
export const withDone: (path: string, done: Done) => string = markDone;

export function doneWords(done: string | undefined): string | undefined {
  return doneWordsIn(WORDS, done);
}
