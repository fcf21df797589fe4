// The notification service as a child process of a benchmark: the real one, with a no-op endpoint beside
// the real one (same schema, same shape of the answer) and one that commits each post by itself, as the
// baselines of the same run.
import { IngestAnswerSchema, IngestSchema } from '@lothub/notifications/ingest/ingest-schema';
import { openService } from '@lothub/notifications/server';
import { readSettings } from '@lothub/notifications/settings';
import { oneByOneRoute } from './one-by-one.ts';

const NOOP_ANSWER = {
  id: 1,
  group_id: 'grp_000000000000',
  seq: 1,
  command: 'notify',
  title: 'Cold room 2 is at 9.4 degrees',
  body: 'The door has been open for eleven minutes.',
  severity: 'warning',
  created_at: '2026-03-02T07:15:00.000Z',
};

function send(message: object): void {
  if (process.send === undefined) throw new Error('the benchmark starts this file as a child');
  process.send(message);
}

const settings = readSettings();
const service = await openService({
  settings,
  onFatal: (error) => {
    throw error;
  },
  moreRoutes: (app) => {
    oneByOneRoute(app, settings);
    app.post(
      '/api/v1/noop',
      { schema: { hide: true, body: IngestSchema, response: { 201: IngestAnswerSchema } } },
      async (_request, reply) => await reply.code(201).send(NOOP_ANSWER),
    );
  },
});
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', (message) => {
  if (message === 'close') void service.close().then(() => process.disconnect?.());
  if (message === 'memory') {
    // What was only used to open the streams is no cost of keeping them.
    globalThis.gc?.();
    send({ rssBytes: process.memoryUsage().rss });
  }
});
send({ address, rssBytes: process.memoryUsage().rss });
