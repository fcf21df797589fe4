// A process that does nothing but send mail, for tests that kill it. Its clock is ahead of the others' by what the
// environment says.
import { openMail } from '../../src/mail/open-mail.ts';
import { readSettings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { AHEAD_VARIABLE } from '../delivery/outbox.ts';

const { dataDir, databaseUrl, mail: settings, publicUrl } = readSettings();
const aheadMs = Number(process.env[AHEAD_VARIABLE]);
const clock = { nowMs: () => Date.now() + aheadMs };
const store = await openStore({
  dataDir,
  databaseUrl,
  clock,
  onFatal: (error) => {
    throw error;
  },
});
const mail = await openMail({
  ...{ settings, store, clock, publicUrl },
  log: { warn: (...line: readonly unknown[]) => console.error(...line) },
});
mail.start();
