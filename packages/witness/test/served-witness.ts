/** A witness in the process of a test, with the app that serves it, asked without a socket. */
import { writeFile } from 'node:fs/promises';
import { systemClock, type Clock } from '@lothub/kit/clock';
import { newLog } from '@lothub/kit/serving/service-log';
import { readSharedSettings } from '@lothub/kit/shared-settings';
import { SettingsReader } from '@lothub/kit/settings';
import { Witness, type WitnessLog, type WitnessOptions } from '@lothub/witness';
import type { FastifyInstance } from 'fastify';
import { openWitnessApp } from '../src/app.ts';
import { formatList } from './test-log.ts';

export const WITNESS_NAME = 'witness.example.org/witness';
export const WITNESS_PREFIX = 'https://witness.example.org/witness';

export interface ServedWitness extends AsyncDisposable {
  readonly witness: Witness;
  readonly app: FastifyInstance;
  /** The texts that it logged, with their facts. */
  readonly logged: readonly { readonly text: string; readonly facts: object }[];
  post(body: string | Uint8Array): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export function listFileIn(dataDir: string): string {
  return `${dataDir}/logs.txt`;
}

/** Writes the list, unless there is none given, and opens the witness. */
export async function serveWitness(
  dataDir: string,
  options: Partial<WitnessOptions> & {
    readonly entries?: readonly string[];
    readonly clock?: Clock;
  } = {},
): Promise<ServedWitness> {
  const { entries, ...given } = options;
  const listFile = listFileIn(dataDir);
  if (entries !== undefined) await writeFile(listFile, formatList(entries));
  const logged: { text: string; facts: object }[] = [];
  const note = (facts: object, text: string): void => void logged.push({ text, facts });
  const log: WitnessLog = { info: note, warn: note, error: note };
  const witness = await Witness.open({
    dataDir,
    name: WITNESS_NAME,
    listFile,
    mayRenew: false,
    clock: systemClock,
    log,
    onFatal: (error) => {
      throw error;
    },
    ...given,
  });
  const settings = {
    ...readSharedSettings(new SettingsReader({ LOG_LEVEL: 'silent' })),
    publicUrl: 'https://witness.example.org',
  };
  const app = await openWitnessApp({ settings, witness, log: newLog({ settings }) });
  const toAnswer = ({ statusCode, headers, body }: Injected): Answer => ({
    status: statusCode,
    type: String(headers['content-type']),
    text: body,
  });
  return {
    witness,
    app,
    logged,
    post: async (body) =>
      toAnswer(
        await app.inject({
          method: 'POST',
          url: '/witness/add-checkpoint',
          payload: typeof body === 'string' ? body : Buffer.from(body),
        }),
      ),
    get: async (path) => toAnswer(await app.inject({ url: path })),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await witness[Symbol.asyncDispose]();
    },
  };
}

type Injected = Awaited<ReturnType<FastifyInstance['inject']>>;
