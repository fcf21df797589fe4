// Witnesses of one hub, each the app of `lothub witness` on a free port of its own, with its own key and
// database. One can be made a liar, which signs whatever it is shown.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cosignatureBody, cosignatureLine, parseCheckpoint } from '@lothub/chain/log';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { serveWitness, type ServedWitness } from '@lothub/witness/test/served-witness';
import { formatEntry } from '@lothub/witness/test/test-log';

const MS_PER_SECOND = 1_000;
/** A hub of a test asks many times a second. */
const QPD = 1_000_000;

/** The log that they witness. */
interface WitnessedLog {
  readonly origin: string;
  readonly vkey: string;
}

export class RealWitness implements AsyncDisposable {
  readonly name: string;
  /** Checkpoints that it was asked to cosign. */
  asked = 0;
  readonly #served: ServedWitness;
  readonly #log: WitnessedLog;

  private constructor(name: string, served: ServedWitness, log: WitnessedLog) {
    this.name = name;
    this.#served = served;
    this.#log = log;
    served.app.server.prependListener('request', ({ method }: IncomingMessage) => {
      if (method === 'POST') this.asked += 1;
    });
  }

  static async start(options: {
    readonly name: string;
    readonly dataDir: string;
    readonly log: WitnessedLog;
  }): Promise<RealWitness> {
    const { name, dataDir, log } = options;
    await mkdir(dataDir);
    const entries = [formatEntry({ vkey: log.vkey, qpd: QPD })];
    const served = await serveWitness(dataDir, { entries, name: `${name}.example.org/1` });
    await served.app.listen({ host: '127.0.0.1', port: 0 });
    return new RealWitness(name, served, log);
  }

  /** For a policy. */
  get line(): string {
    const { port } = this.#served.app.server.address() as AddressInfo;
    return `witness ${this.name} ${this.#served.witness.key.vkey} http://127.0.0.1:${port}/witness`;
  }

  /** The checkpoint that it cosigned last; undefined before the first one. */
  async checkpoint(): Promise<string | undefined> {
    return await this.#served.witness.findCheckpoint(sha256Hex(this.#log.origin));
  }

  async size(): Promise<number> {
    const checkpoint = await this.checkpoint();
    return checkpoint === undefined ? 0 : parseCheckpoint(checkpoint).size;
  }

  /** From now on it cosigns whatever it is shown. */
  lie(): void {
    const { server } = this.#served.app;
    server.removeAllListeners('request');
    server.on('request', (request, response) => void this.#signAnything(request, response));
  }

  async #signAnything(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await text(request);
    const { body } = parseCheckpoint(asked.slice(asked.indexOf('\n\n') + 2));
    const { key } = this.#served.witness;
    const time = Math.floor(Date.now() / MS_PER_SECOND);
    const signature = key.sign(cosignatureBody(time, body));
    const { name, publicKey } = key;
    response.end(cosignatureLine({ name, publicKey, time, signature }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#served.app.server.closeAllConnections();
    await this.#served[Symbol.asyncDispose]();
  }
}

export class RealWitnesses implements AsyncDisposable {
  readonly all: readonly RealWitness[];
  readonly policyFile: string;

  private constructor(all: readonly RealWitness[], policyFile: string) {
    this.all = all;
    this.policyFile = policyFile;
  }

  /**
   * @param options.quorum the lines of the policy after those of the witnesses
   * @param options.folder for what the witnesses keep, and for the policy
   */
  static async start(options: {
    readonly names: readonly string[];
    readonly quorum: readonly string[];
    readonly folder: string;
    readonly log: WitnessedLog;
  }): Promise<RealWitnesses> {
    const { names, quorum, folder, log } = options;
    const all = await Promise.all(
      names.map((name) => RealWitness.start({ name, dataDir: join(folder, name), log })),
    );
    const policyFile = join(folder, 'witnesses.txt');
    await writeFile(policyFile, `${[...all.map(({ line }) => line), ...quorum].join('\n')}\n`);
    return new RealWitnesses(all, policyFile);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((witness) => witness[Symbol.asyncDispose]()));
  }
}
