// What deliveries of a benchmark go to, as a process of its own: an HTTP server that takes webhooks and push
// messages, another one that never answers, and a mail server. It counts, and looks at nothing. Receivers
// have machines of their own, and here they take what the measured service leaves of the processors. So a starved
// receiver lowers the requests a second of the benchmark, and never its waits.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Answered at GET /state. */
export interface SinkState {
  /** Deliveries that were taken since the start. */
  readonly http: number;
  readonly mail: number;
  /** Never answers. */
  readonly hangingAddress: string;
  readonly mailPort: number;
}

let http = 0;
let mail = 0;

const hanging = createServer((request) => request.resume());
const mails = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, callback) => {
    stream.resume();
    stream.once('end', () => {
      mail += 1;
      callback();
    });
  },
});
const answering = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(stateNow()));
    return;
  }
  request.resume();
  request.once('end', () => {
    http += 1;
    response.writeHead(201).end();
  });
});

function stateNow(): SinkState {
  return {
    http,
    mail,
    hangingAddress: `http://127.0.0.1:${getPort(hanging)}`,
    mailPort: getPort(mails.server),
  };
}

/** All threads of this process, where the system has such a policy (util-linux). */
function letOthersFirst(): void {
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
  } catch (error) {
    console.error(`The receivers share the processors with the service: ${String(error)}`);
  }
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

letOthersFirst();
await Promise.all([listen(answering), listen(hanging), listen(mails.server)]);
process.on('message', (message) => {
  if (message !== 'close') return;
  for (const server of [answering, hanging]) {
    server.close();
    server.closeAllConnections();
  }
  mails.close(() => process.disconnect?.());
});
process.send?.({ address: `http://127.0.0.1:${getPort(answering)}` });
