// Serves a generated hub on either engine.
import { join } from 'node:path';
import { startService, type ServiceChild } from '../kit/child.ts';
import { startDatabaseServer } from '../kit/database-server.ts';
import { copyHub } from '../kit/hub-copy.ts';
import type { Engine } from '../kit/options.ts';

export interface ServedHub extends AsyncDisposable {
  readonly service: ServiceChild;
}

/** The service over the hub as it was built, or over the hub as an operator moved it. */
export async function serveChainHub(options: {
  readonly engine: Engine;
  readonly dataDir: string;
  readonly dir: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<ServedHub> {
  await using starting = new AsyncDisposableStack();
  const { dataDir, dir, env } = options;
  const start = async (): Promise<ServiceChild> => {
    if (options.engine === 'sqlite')
      return await startService({ dataDir, ...(env === undefined ? {} : { env }) });
    const server = starting.use(await startDatabaseServer(dir));
    const { url: databaseUrl } = await server.createDatabase();
    await copyHub({ dataDir, databaseUrl });
    return await startService({
      dataDir: join(dir, 'hub-on-postgres'),
      env: { ...env, DATABASE_URL: databaseUrl },
    });
  };
  const service = starting.use(await start());
  const started = starting.move();
  return { service, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
