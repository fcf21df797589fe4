// nginx with the sample of deploy/, in front of one service of a benchmark. It has to be installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceChild } from './child.ts';
import { freePort } from '@lothub/kit/test/free-port';

const SAMPLE = new URL('../../deploy/nginx.conf', import.meta.url);
const READY_WITHIN_MS = 10_000;
const READY_POLL_MS = 20;

export interface Proxy extends AsyncDisposable {
  readonly address: string;
  /** The folder whose files it serves by itself, beneath `/files/`. */
  readonly filesDir: string;
  /** Every request so far: how the cache answered it, and its path. */
  asked(): readonly string[];
}

/** @param options.dir a folder of its own, made when it is not there */
export async function startProxy(options: {
  readonly dir: string;
  readonly service: ServiceChild;
}): Promise<Proxy> {
  const { dir, service } = options;
  const filesDir = join(dir, 'files');
  mkdirSync(join(dir, 'cache'), { recursive: true });
  mkdirSync(filesDir, { recursive: true });
  const port = await freePort();
  const log = join(dir, 'asked.log');
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    buildConfig({ dir, log, port, servicePort: new URL(service.address).port }),
  );
  const nginx = spawn('nginx', ['-c', config, '-e', join(dir, 'error.log')], {
    stdio: 'inherit',
  });
  const ended = once(nginx, 'exit');
  const address = `http://127.0.0.1:${port}`;
  await Promise.race([
    untilServing(address),
    ended.then(() => {
      throw new Error('nginx did not start: see above');
    }),
  ]);
  return {
    address,
    filesDir,
    asked: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
    [Symbol.asyncDispose]: async () => {
      nginx.kill('SIGTERM');
      await ended;
    },
  };
}

function buildConfig({
  dir,
  log,
  port,
  servicePort,
}: {
  readonly dir: string;
  readonly log: string;
  readonly port: number;
  readonly servicePort: string;
}): string {
  const sample = readFileSync(SAMPLE, 'utf8')
    .replace(/server lothub-1:8000[^;]*;/, `server 127.0.0.1:${servicePort};`)
    .replace(/server lothub-2:8000[^;]*;/, '')
    .replace('listen 80;', `listen 127.0.0.1:${port};\n  location /files/ { root ${dir}; }`)
    .replaceAll('/var/cache/nginx', join(dir, 'cache'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(dir, name)};`)
    .join('\n');
  return `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${join(dir, 'pid')}; error_log ${join(dir, 'error.log')};
events { worker_connections 1024; }
http {
keepalive_requests 1000000;
${temporary}
log_format asked '$upstream_cache_status $request_uri';
access_log ${log} asked;
${sample}}
`;
}

async function untilServing(address: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${address}/ready`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error('nginx does not answer');
    await sleep(READY_POLL_MS);
  }
}
