// Serves the requests that the module of a public page sends about its device. A caller with the
// endpoint of a browser, which nobody can guess, acts for that browser. Another site cannot send
// JSON here, because this origin does not allow it.
import { Type } from '@lothub/kit/json-schema';
import { ENDPOINT_MAX, canEncryptFor } from '@lothub/delivery/push/subscription';
import { FieldsRefusal } from '../../errors.ts';
import type { App } from '../../http.ts';
import { askByDevice } from '../../watching/asking.ts';
import { BODY_BYTES_MAX } from '../../watching/limits.ts';
import { WATCH } from '../../watching/links.ts';
import { endWatch, findWatchByAddress } from '../../watching/watches.ts';
import { readWatchWorker } from '../assets.ts';
import { prepareReader } from '../words/reader.ts';
import { TARGET_FIELDS, readTarget } from './route-parts.ts';
import type { TargetFields, WatchRouteDeps } from './route-parts.ts';

/** Longer than a key or a secret of a browser is. */
const KEY_MAX = 200;

/** The subscription as browsers write it (Push API, section 8); they also send `expirationTime`. */
const Subscription = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: ENDPOINT_MAX }),
  keys: Type.Object({
    p256dh: Type.String({ maxLength: KEY_MAX }),
    auth: Type.String({ maxLength: KEY_MAX }),
  }),
});
const OfDevice = Type.Object({ ...TARGET_FIELDS, subscription: Subscription });

export function deviceRoutes(app: App, deps: WatchRouteDeps): void {
  const { store, clock } = deps;
  let worker: string | undefined;
  app.get(`${WATCH}/worker.js`, { schema: { hide: true } }, (_request, reply) => {
    worker ??= readWatchWorker();
    return reply
      .header('Cache-Control', 'no-cache')
      .header('Content-Security-Policy', "default-src 'none'")
      .type('text/javascript; charset=utf-8')
      .send(worker);
  });

  const options = (gate: WatchRouteDeps['gate']) =>
    ({
      onRequest: gate,
      bodyLimit: BODY_BYTES_MAX,
      schema: { hide: true, body: OfDevice },
    }) as const;

  app.post(`${WATCH}/device`, options(deps.changesGate), async (request, reply) => {
    const { subscription, ...fields } = request.body;
    const { keys } = subscription;
    const url = deps.readEndpoint(subscription.endpoint);
    if (url === undefined) {
      const loc = ['body', 'subscription', 'endpoint'];
      throw FieldsRefusal.of(loc, 'Endpoint should be https to a public host', 'value_error');
    }
    if (!canEncryptFor(keys)) {
      const loc = ['body', 'subscription', 'keys'];
      throw FieldsRefusal.of(loc, 'Keys should be those of a browser', 'value_error');
    }
    const target = await readTarget(deps, fields);
    const { language } = prepareReader(request, reply);
    const device = { endpoint: url.href, host: url.host, ...keys };
    await askByDevice({ store, clock }, { target, device, language });
    return await reply.code(202).send({ watched: true });
  });

  app.post(`${WATCH}/device/state`, options(deps.gate), async ({ body }) => {
    const found = await findDevice(deps, body);
    return { watched: found !== undefined };
  });

  app.post(`${WATCH}/device/end`, options(deps.gate), async ({ body }) => {
    const found = await findDevice(deps, body);
    if (found !== undefined) await endWatch({ store }, found.id);
    return { watched: false };
  });
}

async function findDevice(
  deps: WatchRouteDeps,
  {
    subscription,
    ...fields
  }: TargetFields & { readonly subscription: { readonly endpoint: string } },
) {
  const { store } = deps;
  const url = deps.readEndpoint(subscription.endpoint);
  if (url === undefined) return undefined;
  const target = await readTarget(deps, fields);
  return await findWatchByAddress(store.reader, { address: url.href, target });
}
