// Loaded before a command (`node --import`): kills the process beside the moment in which a file gets its
// name. The command knows nothing of it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { linkSync, renameSync } = fs;
const point = process.env['TEST_KILL_AT'];

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

Object.assign(fs, {
  linkSync: (...given: Parameters<typeof linkSync>) => {
    linkSync(...given);
    if (point === 'key made') killSelf();
  },
  renameSync: (...given: Parameters<typeof renameSync>) => {
    if (point === 'statement stored') killSelf();
    renameSync(...given);
    if (point === 'key in place') killSelf();
  },
});
syncBuiltinESMExports();
