// E-mail addresses as accounts know them.

/** RFC 5321, 4.5.3.1: 64 before the sign, 254 in all. */
export const EMAIL_LENGTH_MAX = 254;
/**
 * Loose on purpose: only a message can prove that an address works. It excludes white space, control
 * characters, and everything that could break a mail header.
 */
export const EMAIL_PATTERN =
  '^[^\\s@<>"(),:;\\\\\\[\\]\\p{C}]{1,64}@[^\\s@<>"(),:;\\\\\\[\\]\\p{C}]{1,189}$';

/** One account whatever the case is that an address is written in. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
