// A port that nobody listens on, for a program that needs the number of one.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Another process may take it before it is used; a program that can, listens on port 0 and says where. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
