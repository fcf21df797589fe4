// A witness in a process of its own, for a benchmark: the same as `lothub witness` serves.
import { PassThrough } from 'node:stream';
import { openWitness } from '@lothub/witness/service';
import { readSettings } from '@lothub/witness/settings';
import { newFront } from '@lothub/kit/serving/front';

const service = await openWitness(readSettings(), {
  logStream: new PassThrough().resume(),
  mayRenew: false,
  metrics: undefined,
  onUpgrade: () => undefined,
  onFatal: (error) => {
    throw error;
  },
  signal: new AbortController().signal,
});
const front = newFront(service.app, { onClose: () => service.beginClose() });
const address = await front.listen({ host: '127.0.0.1', port: 0 });
process.on('message', (message) => {
  if (message !== 'close') return;
  void front
    .close()
    .then(() => service.close())
    .then(() => process.disconnect?.());
});
process.send?.({ address });
