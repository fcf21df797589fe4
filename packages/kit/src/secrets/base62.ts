// Random characters that need no encoding in addresses, headers and file names.
import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random characters of 0-9, A-Z and a-z; each is worth almost 6 bits. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A whole number of at least 0 in digits of 0-9, A-Z and a-z, filled with zeros from the left. */
export function base62Digits(value: number, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest = Math.floor(rest / ALPHABET.length)) {
    digits = `${ALPHABET[rest % ALPHABET.length]}${digits}`;
  }
  return digits;
}
