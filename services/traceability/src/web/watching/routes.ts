// Serves the forms of public pages about watching, and the links of their mails. Register it in a
// scope of its own, which alone parses forms. No response reveals whether an address is known.
import formbody from '@fastify/formbody';
import { Type } from '@lothub/kit/json-schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FieldsRefusal } from '../../errors.ts';
import type { App } from '../../http.ts';
import { askByMail, askForList, readEmail } from '../../watching/asking.ts';
import { BODY_BYTES_MAX, LIST_LINK_MS } from '../../watching/limits.ts';
import { LINK_TOKEN_PATTERN, WATCH, type LinkPurpose } from '../../watching/links.ts';
import { readOpenRecalls } from '../../watching/open-recalls.ts';
import { nameTarget } from '../../watching/targets.ts';
import { findWatch, watchesOfAddress, type WatchRow } from '../../watching/watch-queries.ts';
import { confirmWatch, endWatch, eraseAddress, renewWatch } from '../../watching/watches.ts';
import { sendPage, type Page } from '../layout.ts';
import { prepareReader, type Reader } from '../words/reader.ts';
import { deviceRoutes } from './device-routes.ts';
import {
  askPage,
  confirmedPage,
  endedPage,
  gonePage,
  listPage,
  mailedPage,
  questionPage,
  renewedPage,
} from './pages.ts';
import type { NamedWatch } from './pages.ts';
import { TARGET_FIELDS, readTarget, type WatchRouteDeps } from './route-parts.ts';

const Token = Type.Object({ w: Type.String({ pattern: LINK_TOKEN_PATTERN }) });
const OptionalToken = Type.Partial(Token);
/** The watch of a list that is to end. */
const ID_OR_ALL = '^(all|wch_[0-9A-Za-z]{12})$';

export async function watchRoutes(app: App, deps: WatchRouteDeps): Promise<void> {
  await app.register(formbody, { bodyLimit: BODY_BYTES_MAX });
  app.addHook('onRequest', async (_request, reply) => {
    // The page is for one reader, and anybody with its address can open it.
    void reply.headers({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
    });
  });
  if (deps.hasMail) {
    askRoutes(app, deps);
    listRoutes(app, deps);
  }
  linkRoutes(app, deps);
  if (deps.hasPush) deviceRoutes(app, deps);
}

function askRoutes(app: App, deps: WatchRouteDeps): void {
  const { store, clock } = deps;
  app.get(WATCH, { onRequest: deps.gate, schema: { hide: true } }, (request, reply) =>
    send(deps, { request, reply }, askPage),
  );

  app.post(
    WATCH,
    {
      onRequest: deps.changesGate,
      schema: { hide: true, body: Type.Object({ ...TARGET_FIELDS, email: Type.String() }) },
    },
    async (request, reply) => {
      const { email, ...fields } = request.body;
      const target = await readTarget(deps, fields);
      const { language } = prepareReader(request, reply);
      await askByMail({ store, clock }, { target, address: emailIn(email), language });
      return await reply.redirect(`${WATCH}/asked`, 303);
    },
  );

  app.post(
    `${WATCH}/list`,
    {
      onRequest: deps.changesGate,
      schema: { hide: true, body: Type.Object({ email: Type.String() }) },
    },
    async (request, reply) => {
      await askForList({ store, clock }, emailIn(request.body.email));
      return await reply.redirect(`${WATCH}/listed`, 303);
    },
  );

  for (const what of ['asked', 'listed'] as const) {
    app.get(
      `${WATCH}/${what}`,
      { onRequest: deps.gate, schema: { hide: true } },
      (request, reply) => send(deps, { request, reply }, (reader) => mailedPage(what, reader)),
    );
  }
}

/** @throws FieldsRefusal */
function emailIn(value: string): string {
  const email = readEmail(value);
  if (email !== undefined) return email;
  throw FieldsRefusal.of(['body', 'email'], 'Email should be an e-mail address', 'value_error');
}

/** The questions of links, and their buttons. */
function linkRoutes(app: App, deps: WatchRouteDeps): void {
  const { store, clock } = deps;
  for (const purpose of ['confirm', 'end', 'renew'] as const) {
    app.get(
      `${WATCH}/${purpose}`,
      { onRequest: deps.gate, schema: { hide: true, querystring: Token } },
      async (request, reply) => {
        const { w: token } = request.query;
        const watch = await findLinked(deps, purpose, token);
        if (watch === undefined) return await sendGone(deps, { request, reply });
        const described = await describeWatch(deps, watch);
        return await send(deps, { request, reply }, (reader) =>
          questionPage(purpose, { ...described, token }, reader),
        );
      },
    );
  }

  app.post(
    `${WATCH}/confirm`,
    { onRequest: deps.gate, schema: { hide: true, body: Token } },
    async (request, reply) => {
      const watch = await findLinked(deps, 'confirm', request.body.w);
      if (watch === undefined || !(await confirmWatch({ store, clock }, watch.id))) {
        return await sendGone(deps, { request, reply });
      }
      const described = await describeWatch(deps, watch);
      const { notices, publicUrl } = deps;
      const open = await readOpenRecalls({ database: store.reader, publicUrl, notices }, watch);
      return await send(deps, { request, reply }, (reader) =>
        confirmedPage({ ...described, notices: open }, reader),
      );
    },
  );

  // The button of the page or the reader's mail program sends this (RFC 8058); the address of the
  // mail program's request has the link.
  app.post(
    `${WATCH}/end`,
    {
      onRequest: deps.gate,
      schema: { hide: true, querystring: OptionalToken, body: OptionalToken },
    },
    async (request, reply) => {
      const token = request.body.w ?? request.query.w ?? '';
      const watch = await findLinked(deps, 'end', token);
      if (watch === undefined) return await sendGone(deps, { request, reply });
      await endWatch({ store }, watch.id);
      return await send(deps, { request, reply }, endedPage);
    },
  );

  app.post(
    `${WATCH}/renew`,
    { onRequest: deps.gate, schema: { hide: true, body: Token } },
    async (request, reply) => {
      const watch = await findLinked(deps, 'renew', request.body.w);
      if (watch === undefined || !(await renewWatch({ store, clock }, watch.id))) {
        return await sendGone(deps, { request, reply });
      }
      const described = await describeWatch(deps, watch);
      return await send(deps, { request, reply }, (reader) => renewedPage(described, reader));
    },
  );
}

/** Shows everything that is stored about an address, by a link that was sent to it. */
function listRoutes(app: App, deps: WatchRouteDeps): void {
  const { store, links, clock } = deps;
  const show = async (to: To, address: string): Promise<FastifyReply> => {
    const watches = await watchesOfAddress(store.reader, address);
    const described = await Promise.all(watches.map((watch) => describeWatch(deps, watch)));
    // Each page has a new token, because the watch of the link may be the one that has ended.
    const watchId = watches[0]?.id ?? '';
    const untilMs = clock.nowMs() + LIST_LINK_MS;
    const token = links.buildToken({ purpose: 'list', watchId, untilMs });
    return await send(deps, to, (reader) =>
      listPage({ address, watches: described, token }, reader),
    );
  };

  app.get(
    `${WATCH}/list`,
    { onRequest: deps.gate, schema: { hide: true, querystring: Token } },
    async (request, reply) => {
      const { w: token } = request.query;
      const watch = await findLinked(deps, 'list', token);
      if (watch === undefined) return await sendGone(deps, { request, reply });
      return await show({ request, reply }, watch.address);
    },
  );

  app.post(
    `${WATCH}/list/end`,
    {
      onRequest: deps.gate,
      schema: {
        hide: true,
        body: Type.Object({ ...Token.properties, id: Type.String({ pattern: ID_OR_ALL }) }),
      },
    },
    async (request, reply) => {
      const { w: token, id } = request.body;
      const watch = await findLinked(deps, 'list', token);
      if (watch === undefined) return await sendGone(deps, { request, reply });
      const { address } = watch;
      if (id === 'all') {
        await eraseAddress(store, address);
      } else {
        const watches = await watchesOfAddress(store.reader, address);
        const found = watches.find((one) => one.id === id);
        if (found !== undefined) await endWatch({ store }, found.id);
      }
      return await show({ request, reply }, address);
    },
  );
}

/** The watch of a link; undefined when the link is none, or its watch has ended. */
async function findLinked(
  { links, clock, store }: WatchRouteDeps,
  purpose: LinkPurpose,
  token: string,
): Promise<WatchRow | undefined> {
  const id = links.read(purpose, token, clock.nowMs());
  return id === undefined ? undefined : await findWatch(store.reader, id);
}

async function describeWatch(
  { store, publicUrl }: WatchRouteDeps,
  watch: WatchRow,
): Promise<NamedWatch> {
  return { watch, target: await nameTarget({ database: store.reader, publicUrl }, watch) };
}

interface To {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendGone(deps: WatchRouteDeps, { request, reply }: To): FastifyReply {
  const reader = prepareReader(request, reply);
  return sendPage(reply, gonePage(reader), { ...deps, status: 404, reader });
}

function send(
  deps: WatchRouteDeps,
  { request, reply }: To,
  pageIn: (reader: Reader) => Page,
): FastifyReply {
  const reader = prepareReader(request, reply);
  return sendPage(reply, pageIn(reader), { ...deps, reader });
}
