// The clients of a pool, also those that are still connecting: whatever waits for one ends when its
// connection is cut.
import { Client, type ClientConfig } from 'pg';

export interface PoolClients {
  /** What the pool makes its clients of. */
  readonly Client: new (config?: ClientConfig) => Client;
  /** Cuts all connections; the pool may make others. */
  readonly cut: () => void;
  /** Cuts all connections, and each one that is made from now on. */
  readonly abandon: () => void;
}

export function poolClients(): PoolClients {
  const open = new Set<Client>();
  let isAbandoned = false;
  const cut = (): void => {
    for (const client of open) cutConnection(client);
  };
  return {
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        super(config);
        open.add(this);
        this.once('end', () => open.delete(this));
        // Once the pool has had it connect: callers that waited are refused then.
        if (isAbandoned) process.nextTick(() => cutConnection(this));
      }
    },
    cut,
    abandon: () => {
      isAbandoned = true;
      cut();
    },
  };
}

/** Closes a connection without a message to the server, which may be unreachable. */
export function cutConnection(client: Pick<Client, 'connection'>): void {
  client.connection.stream.destroy();
}
