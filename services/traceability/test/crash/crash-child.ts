// The service as a process of its own, for tests that kill it: prints its address once it serves.
import { flushCompileCache } from 'node:module';
import { openService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';

const service = await openService({
  settings: readSettings(),
  logStream: { write: (line) => void process.stderr.write(line) },
  onFatal: (error) => {
    throw error;
  },
});
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${address}\n`);
// A killed process writes no cache at its end, and every round starts one.
flushCompileCache();
