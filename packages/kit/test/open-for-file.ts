// What the tests of a file share, opened before the first of them and closed after the last.
import { after } from 'node:test';

/** To be awaited at the top of a test file: `const hub = await openForFile(boot());`. */
export async function openForFile<Opened extends AsyncDisposable>(
  opening: Promise<Opened>,
): Promise<Opened> {
  const opened = await opening;
  after(() => opened[Symbol.asyncDispose]());
  return opened;
}
