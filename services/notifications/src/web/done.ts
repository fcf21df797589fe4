// What a page says after something was done on it: a closed list of words, named in its address.
import { doneWordsIn, withDone as markDone } from '@lothub/design/done-mark';

const WORDS = {
  acknowledged: 'Acknowledged.',
  'all-read': 'Everything up to here is read.',
  'device-removed': 'The device is removed; nothing is sent to it any more.',
  'device-saved': 'The device is saved.',
  erased: 'Your account is erased.',
  'escalation-removed': 'Nothing is escalated any more.',
  'escalation-saved': 'The escalation is saved.',
  'group-deleted': 'The group is deleted.',
  'group-left': 'You have left the group.',
  'group-saved': 'The group is saved.',
  'invitation-revoked': 'The invitation is withdrawn; its link no longer works.',
  'key-revoked': 'The key is revoked; posts with it are refused from now on.',
  'key-saved': 'The key is saved.',
  'logged-out': 'You are logged out.',
  'mail-off': 'Mail is turned off.',
  'mail-saved': 'Mail is on.',
  'mail-tested': 'The mail server has taken the test mail: look into your mailbox.',
  'member-removed': 'The member is removed from the group.',
  muted: 'The group is muted: nothing of it is sent to your devices or by mail.',
  'name-saved': 'Your name is saved.',
  'password-saved': 'Your password is changed. All your other sessions have ended.',
  redacted: 'The text is removed.',
  replayed: 'The delivery is sent again.',
  'quiet-saved': 'Your quiet hours are saved.',
  'role-saved': 'The role is changed.',
  'session-ended': 'The session has ended.',
  'sessions-ended': 'All your other sessions have ended.',
  'test-sent': 'The test notification is sent.',
  'test-pushed': 'The test is sent: it comes within seconds.',
  'token-revoked': 'The token is revoked.',
  unmuted: 'The group is no longer muted.',
  'webhook-deleted': 'The webhook is deleted.',
  'webhook-saved': 'The webhook is saved.',
} as const;

export type Done = keyof typeof WORDS;

/** An address that says what was done. */
export const withDone: (path: string, done: Done) => string = markDone;

export function doneWords(done: string | undefined): string | undefined {
  return doneWordsIn(WORDS, done);
}
