// A service in a process of its own, for tests that kill it: prints its address once it serves.
import { openService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';

const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', ...process.env });
const service = await openService({
  settings,
  logStream: { write: (line) => void process.stderr.write(line) },
  onFatal: (error) => {
    throw error;
  },
});
console.log(await service.app.listen({ host: '127.0.0.1', port: settings.port }));
