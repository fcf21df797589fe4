// What is handed to a command on its standard input.
import { CommandError } from '@lothub/kit/cli/command-error';
import type { Terminal } from '@lothub/kit/cli/terminal';

/** Kept of it; what follows is read and dropped, so that its writer can end. */
const INPUT_BYTES_MAX = 1_048_576;

/**
 * @returns its text, whatever bytes it holds; nothing where a person types
 * @throws CommandError `usage_wrong` when it has not ended in time
 */
export async function readInput(
  stdin: NonNullable<Terminal['stdin']>,
  signal: AbortSignal,
): Promise<string> {
  if (stdin.isTTY === true) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => void stdin.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
      if (bytes < INPUT_BYTES_MAX) chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
    }
  } catch (error) {
    throw new CommandError(
      'usage_wrong',
      'reading standard input: it did not end; give --body "" to read nothing from it',
      { cause: error },
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).subarray(0, INPUT_BYTES_MAX).toString('utf8');
}
