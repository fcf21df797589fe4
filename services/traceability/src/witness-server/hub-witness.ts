// The hub as a witness of other hubs (`WITNESS_LOGS`): of several processes each that has the setting serves
// one of its own. It never cosigns the log of this hub.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { selectList } from '@lothub/kit/rows/stored-table';
import type { OwnLog, Witness, WitnessLog, WitnessRouteOptions } from '@lothub/witness';
import { WITNESS_PATH } from '@lothub/witness/policy-lines';
import type { FastifyInstance } from 'fastify';
import sql from 'sql-template-tag';
import type { LogIdentity } from '../ledger/log/signed-log.ts';
import { LOG_EPOCHS, type LogEpochRow } from '../ledger/tables/log.ts';
import type { Settings } from '../settings.ts';

export interface HubWitness extends AsyncDisposable {
  readonly witness: Witness;
  /** Registers its routes in a scope of their own. */
  serve(app: FastifyInstance, gate: WitnessRouteOptions['gate']): void;
}

/**
 * @returns undefined without `WITNESS_LOGS`
 * @throws WitnessError, NoteKeyError, DatabaseError; CommandError when another process has its state
 */
export async function openHubWitness(options: {
  readonly settings: Settings;
  readonly database: Pick<DatabaseReader, 'all'>;
  /** The log as it is now. */
  readonly signed: { readonly identity: LogIdentity | undefined };
  readonly clock: Clock;
  readonly log: WitnessLog;
  readonly onFatal: (error: Error) => void;
}): Promise<HubWitness | undefined> {
  const { settings, database, signed, clock, log, onFatal } = options;
  const { witnessServer, dataDir, publicUrl, isPublicUrlSet } = settings;
  if (witnessServer === undefined) return undefined;
  // Here and not at the top: most hubs are none.
  const { Witness, witnessName, witnessRoutes } = await import('@lothub/witness');
  const stored = (
    await database.all<LogEpochRow>(sql`
    select ${selectList(LOG_EPOCHS)}
    from log_epochs`)
  ).flatMap(({ origin, vkeys }) => listLogs(origin, vkeys.split('\n')));
  const named = isPublicUrlSet ? publicUrl : undefined;
  const witness = await Witness.open({
    dataDir,
    listFile: witnessServer.listFile,
    name: witnessName({ name: witnessServer.name, publicUrl: named }),
    mayRenew: false,
    // Also those that it begins while it runs.
    ownLogs: () => {
      const { identity } = signed;
      return identity === undefined
        ? stored
        : [...stored, ...listLogs(identity.origin, identity.vkeys)];
    },
    clock,
    log,
    onFatal,
  });
  const prefix = `${publicUrl}${WITNESS_PATH}`;
  return {
    witness,
    serve: (app, gate) => witnessRoutes(app, { witness, prefix, gate }),
    [Symbol.asyncDispose]: () => witness[Symbol.asyncDispose](),
  };
}

function listLogs(origin: string, vkeys: readonly string[]): readonly OwnLog[] {
  return vkeys.map((vkey) => ({ origin, vkey }));
}
