// A time-stamping service that really signs: `openssl ts -reply` behind a small HTTP server, with a
// certificate of its own; and `openssl ts -verify`, by which a stranger judges what it signed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findProgram } from '@lothub/kit/test/programs/find-program';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Booted } from '../boot.ts';

const run = promisify(execFile);

const CONFIGURATION = `
oid_section = oids
[oids]
tsa_policy = 1.2.3.4.1
[req]
distinguished_name = name
prompt = no
[name]
CN = Lothub test time stamps
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[tsa_certificate]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = service
[service]
serial = serial
signer_digest = sha256
default_policy = tsa_policy
digests = sha256
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** Another answer, or the status of one without a body. */
type Change = (reply: Buffer) => Buffer | number | Promise<Buffer>;

export interface TimeStampingService extends AsyncDisposable {
  readonly url: string;
  /** Requests that came, each a TimeStampReq. */
  readonly questions: readonly Buffer[];
  /** Answers with what this makes of the good reply, until it is set again. */
  answerWith(change: Change | undefined): void;
  /** The reply to a question, as the service signs it. */
  reply(question: Uint8Array): Promise<Buffer>;
  /** What openssl says of a reply about these bytes: `Verification: OK`, or why it is not. */
  verify(stamped: { readonly content: Uint8Array; readonly reply: Uint8Array }): Promise<string>;
}

export async function openTimeStampingService(): Promise<TimeStampingService> {
  const openssl = findProgram({ name: 'openssl', purpose: 'make and verify time stamps with' });
  const folder = await mkdtemp(join(tmpdir(), 'lothub-tsa-'));
  const call = (...args: readonly string[]) => run(openssl, args, { cwd: folder });
  await writeFile(join(folder, 'openssl.cnf'), CONFIGURATION);
  await writeFile(join(folder, 'serial'), '01\n');
  const common = ['-newkey', 'rsa:2048', '-nodes', '-config', 'openssl.cnf'];
  const validity = ['-x509', '-days', '2'];
  await call(
    ...['req', ...common, ...validity, '-extensions', 'ca', '-keyout', 'ca.key', '-out', 'ca.pem'],
  );
  await call(
    ...['req', ...common, ...validity, '-extensions', 'tsa_certificate', '-CA', 'ca.pem'],
    ...['-CAkey', 'ca.key', '-subj', '/CN=tsa.test', '-keyout', 'tsa.key', '-out', 'tsa.pem'],
  );

  let number = 0;
  const reply = async (question: Uint8Array): Promise<Buffer> => {
    number += 1;
    const [asked, made] = [`${number}.tsq`, `${number}.tsr`];
    await writeFile(join(folder, asked), question);
    await call(
      ...['ts', '-reply', '-config', 'openssl.cnf', '-section', 'service', '-queryfile', asked],
      ...['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-out', made],
    );
    return await readFile(join(folder, made));
  };
  const questions: Buffer[] = [];
  let change: Change | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const question = await readBody(request);
      questions.push(question);
      const made = await reply(question);
      const answer = change === undefined ? made : await change(made);
      if (typeof answer === 'number') return response.writeHead(answer).end();
      return response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(answer);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    url: `http://127.0.0.1:${address.port}/tsr`,
    questions,
    answerWith: (next) => {
      change = next;
    },
    reply,
    verify: async (stamped) => {
      await writeFile(join(folder, 'content'), stamped.content);
      await writeFile(join(folder, 'kept.tsr'), stamped.reply);
      const args = ['ts', '-verify', '-data', 'content', '-in', 'kept.tsr', '-CAfile', 'ca.pem'];
      const { stdout, stderr } = await call(...args).catch(
        (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
      );
      return `${stdout}${stderr}`;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    },
  };
}

/** @throws AssertionError when nothing is found in time */
export async function until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    assert.ok(Date.now() < end, `${what} did not come`);
    await sleep(50);
  }
}

/** The size of the newest stamped checkpoint, once there is one. */
export async function stampedSize(hub: Booted): Promise<number> {
  return await until('a time stamp', async () => {
    const { json } = await hub.call('/health');
    return (json['timestamp']!['size'] as unknown as number | null) ?? undefined;
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
