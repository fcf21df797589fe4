// The address of a service, as a command is given it.
import { CommandError } from './command-error.ts';

/**
 * An address as given, without the slash at its end.
 * @throws CommandError `usage_wrong` when it is no HTTP address
 */
export function parseBaseAddress(text: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^?#]*$/.test(text)) return text.replace(/\/+$/, '');
  throw new CommandError(
    'usage_wrong',
    `reading the address ${text}: give one such as https://trace.example.com`,
  );
}
