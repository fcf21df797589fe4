// A small true witness (c2sp.org/tlog-witness) for tests, which can be set to fail or to lie, and keeps
// what it has cosigned, so that a test sees whether it ever cosigned two contradicting heads.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  computeRoot,
  cosignatureBody,
  cosignatureLine,
  EMPTY_FRONTIER,
  judgeCheckpoint,
  LogError,
  parseCheckpoint,
  parseVkey,
  strictBase64,
  utf8,
  verifyConsistency,
} from '@lothub/chain/log';
import type { Checkpoint } from '@lothub/chain/log';
import { testKey, verifySignature, witnessVkey } from '@lothub/chain/test/log/test-keys';
import type { TestKey } from '@lothub/chain/test/log/test-keys';
import { systemClock } from '@lothub/kit/clock';
import { sha256Bytes, sha256Hex } from '@lothub/kit/secrets/hash';
import type { Booted } from '../boot.ts';

/** Instead of the true answer; returns whether it has answered. */
export type Behaviour = (request: Asked, response: ServerResponse) => boolean | Promise<boolean>;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Seen {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
}

const MS_PER_SECOND = 1_000;

export class TestWitness implements AsyncDisposable {
  readonly name: string;
  readonly key: TestKey;
  readonly asked: Asked[] = [];
  /** Every head that it has cosigned, in order. */
  readonly cosigned: Seen[] = [];
  behave: Behaviour = () => false;
  secondsOff = 0;
  knows = true;
  /** It cosigns with both, and answers both lines. */
  secondKey: TestKey | undefined;
  readonly #vkeys: () => Promise<readonly string[]>;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #seen: Seen | undefined;

  private constructor(name: string, seed: number, vkeys: () => Promise<readonly string[]>) {
    this.name = name;
    this.key = testKey(seed);
    this.#vkeys = vkeys;
  }

  /** @param vkeys of the log that it witnesses */
  static async start(options: {
    readonly name: string;
    readonly seed: number;
    readonly vkeys: () => Promise<readonly string[]>;
  }): Promise<TestWitness> {
    const witness = new TestWitness(options.name, options.seed, options.vkeys);
    await new Promise<void>((resolve) => witness.#server.listen(0, '127.0.0.1', resolve));
    return witness;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get vkey(): string {
    return witnessVkey({ name: `${this.name}.example.org/1`, key: this.key });
  }

  get line(): string {
    return `witness ${this.name} ${this.vkey} ${this.url}`;
  }

  /** That of the second key, which is at the same address. */
  get secondLine(): string {
    const vkey = witnessVkey({ name: `${this.name}.example.org/2`, key: this.secondKey! });
    return `witness ${this.name}-2 ${vkey} ${this.url}/`;
  }

  get size(): number {
    return this.#seen?.size ?? 0;
  }

  /** Forgets or remembers a head, as a witness with another history has it. */
  set seen(seen: Seen | undefined) {
    this.#seen = seen;
  }

  get seen(): Seen | undefined {
    return this.#seen;
  }

  /** The line of its cosignature of a checkpoint. */
  cosign({ body }: Checkpoint, secondsOff = this.secondsOff): string {
    const time = Math.floor(systemClock.nowMs() / MS_PER_SECOND) + secondsOff;
    const keys = this.secondKey === undefined ? [this.key] : [this.key, this.secondKey];
    const lines = keys.map((key, place) =>
      cosignatureLine({
        name: `${this.name}.example.org/${place + 1}`,
        publicKey: key.publicKey,
        time,
        signature: key.sign(utf8(cosignatureBody(time, body))),
      }),
    );
    return lines.join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.asked.push(asked);
    if (await this.behave(asked, response)) return;
    if (!this.knows) return answer(response, 404, '');
    if (asked.method === 'GET') return this.#show(asked, response);
    try {
      await this.#add(asked.body, response);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      answer(response, 400, error.message);
    }
  }

  #show({ path }: Asked, response: ServerResponse): void {
    const origin = this.#seen && parseCheckpoint(this.#seen.note).origin;
    const isKnown = origin !== undefined && path === `/${sha256Hex(origin)}/checkpoint`;
    answer(response, isKnown ? 200 : 404, isKnown ? this.#seen!.note : '');
  }

  async #add(body: string, response: ServerResponse): Promise<void> {
    const end = body.indexOf('\n\n');
    const [first = '', ...hashes] = body.slice(0, end).split('\n');
    const old = Number(/^old (0|[1-9][0-9]*)$/.exec(first)?.[1]);
    const note = body.slice(end + 2);
    const head = parseCheckpoint(note);
    const vkeys = await this.#vkeys();
    const logs = vkeys.map((vkey) => ({ key: parseVkey(vkey) }));
    const policy = { logs, witnesses: [], quorum: { kind: 'none' } as const };
    const verdict = await judgeCheckpoint(head, { policy, verify: verifySignature });
    if (verdict.refused === 'unknown_log') return answer(response, 404, '');
    if (verdict.refused !== undefined) return answer(response, 403, '');
    if (!(old <= head.size)) return answer(response, 400, '');
    // No await from here to where it is kept: one request at a time compares and sets.
    const seen = this.#seen;
    const size = seen?.size ?? 0;
    if (old !== size) return answer(response, 409, `${size}\n`, 'text/x.tlog.size');
    const isConsistent = verifyConsistency({
      from: size,
      to: head.size,
      fromRoot: seen?.root ?? computeRoot(EMPTY_FRONTIER, sha256Bytes),
      toRoot: head.root,
      proof: hashes.map(strictBase64),
      hash: sha256Bytes,
    });
    if (!isConsistent) return answer(response, 422, '');
    this.#seen = { size: head.size, root: head.root, note };
    this.cosigned.push(this.#seen);
    answer(response, 200, this.cosign(head));
  }
}

export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain',
): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

/** Some witnesses of one hub, whose keys they learn from it. */
export class TestWitnesses implements AsyncDisposable {
  readonly all: readonly TestWitness[];
  /** The hub, as soon as it serves. */
  hub: Pick<Booted, 'base'> | undefined;

  private constructor(all: TestWitness[]) {
    this.all = all;
  }

  static async start(names: readonly string[]): Promise<TestWitnesses> {
    const all: TestWitness[] = [];
    const witnesses = new TestWitnesses(all);
    let vkeys: readonly string[] | undefined;
    const readVkeys = async (): Promise<readonly string[]> => {
      vkeys ??= await witnesses.#readVkeys();
      return vkeys;
    };
    for (const [place, name] of names.entries()) {
      all.push(await TestWitness.start({ name, seed: 40 * (place + 1), vkeys: readVkeys }));
    }
    return witnesses;
  }

  /** Writes a policy and returns its file. */
  async policy(folder: string, quorum: readonly string[]): Promise<string> {
    const file = join(folder, 'witnesses.txt');
    const lines = this.all.flatMap((witness) => [
      `# run by: The people of ${witness.name}`,
      witness.line,
      ...(witness.secondKey === undefined ? [] : [witness.secondLine]),
    ]);
    await writeFile(file, `${[...lines, ...quorum].join('\n')}\n`);
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((witness) => witness[Symbol.asyncDispose]()));
  }

  async #readVkeys(): Promise<readonly string[]> {
    for (;;) {
      const { hub } = this;
      if (hub !== undefined) {
        const text = await (await fetch(`${hub.base}/log/1/vkeys`)).text();
        return text.trim().split('\n');
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
