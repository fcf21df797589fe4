/** A witness as a process serves it. */
import { systemClock } from '@lothub/kit/clock';
import { frontedApp } from '@lothub/kit/serving/front';
import { newLog } from '@lothub/kit/serving/service-log';
import type { ServedOptions, ServedService } from '@lothub/kit/serving/served-service';
import { openWitnessApp } from './app.ts';
import { witnessName } from './name.ts';
import { WITNESS_PATH, policyLines } from './policy-lines.ts';
import type { Settings } from './settings.ts';
import { Witness } from './witness.ts';

export async function openWitness(
  settings: Settings,
  options: ServedOptions & { readonly mayRenew: boolean },
): Promise<ServedService> {
  const { dataDir, publicUrl, isPublicUrlSet } = settings;
  const { listFile, name } = settings.witness;
  const log = newLog({ settings, logStream: options.logStream });
  await using opening = new AsyncDisposableStack();
  const witness = opening.use(
    await Witness.open({
      dataDir,
      listFile,
      name: witnessName({ name, publicUrl: isPublicUrlSet ? publicUrl : undefined }),
      mayRenew: options.mayRenew,
      clock: systemClock,
      log,
      onFatal: options.onFatal,
    }),
  );
  const app = await openWitnessApp({ settings, witness, log });
  opening.defer(() => app.close());
  const opened = opening.move();
  return {
    app: frontedApp(app),
    log,
    open: () =>
      Promise.resolve((address) => {
        const prefix = `${isPublicUrlSet ? publicUrl : address}${WITNESS_PATH}`;
        const { vkey } = witness.key;
        return {
          json: { data_dir: dataDir, name: witness.key.name, vkey, prefix, logs: witness.logCount },
          lines: ['', ...policyLines({ vkey, prefix, logCount: witness.logCount })],
        };
      }),
    beginClose: () => undefined,
    abandon: () => witness.abandon(),
    close: () => opened.disposeAsync(),
  };
}
