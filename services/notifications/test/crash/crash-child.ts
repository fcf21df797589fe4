// The service as a process of its own, for tests that kill it: it loads, waits for a line, then serves and
// prints its address. So the next one loads while the one before is still being posted to.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { openService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';

// A killed process writes no cache at its end, and every round starts one.
flushCompileCache();
await once(process.stdin, 'data');
process.stdin.destroy();
const service = await openService({
  settings: readSettings(),
  logStream: { write: (line) => void process.stderr.write(line) },
  onFatal: (error) => {
    throw error;
  },
});
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
