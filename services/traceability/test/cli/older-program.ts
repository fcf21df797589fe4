// Loaded before the service (`node --import`), in its threads too: its sessions say that they are of a program of
// the generation before, as an older version that still runs does.
import { Client } from 'pg';

type Connect = (this: Client, ...asked: unknown[]) => unknown;

const NOW = /-c lothub\.generation=\d+/;
const BEFORE = '-c lothub.generation=1';

const connect = Object.getOwnPropertyDescriptor(Client.prototype, 'connect')?.value as Connect;
const older: Connect = function (...asked) {
  const parameters = Object.getOwnPropertyDescriptor(this, 'connectionParameters')?.value as {
    options: string;
  };
  if (!NOW.test(parameters.options)) throw new Error('a session says nothing of its generation');
  parameters.options = parameters.options.replace(NOW, BEFORE);
  return connect.apply(this, asked);
};
Object.defineProperty(Client.prototype, 'connect', { value: older });
