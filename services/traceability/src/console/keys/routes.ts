// The keys of a brand: list, make, replace, revoke. A key is shown once, in the answer that made it.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { callerOfPerson, type App } from '../../http.ts';
import {
  issueBrandKey,
  listBrandKeys,
  revokeBrandKey,
  rotateBrandKey,
} from '../../keys/brand-keys.ts';
import { KEY_LIMITS } from '../../ledger/tables/off-chain.ts';
import { getVisitor } from '../access.ts';
import { BRAND_PARAM, BRAND_ROUTE, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { doneWords, withDone } from '../done.ts';
import { addForm } from '../forms.ts';
import { param } from '../params.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { keysPage, type KeysView } from './keys-page.ts';

/** How long a replaced key works beside the new one: a working day to set the new one up. */
export const ROTATED_OVERLAP_MS = 24 * 60 * 60 * 1_000;
const ID_MAX = 64;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });
const KEYS_ROUTE = `${BRAND_ROUTE}/keys`;
const RIGHT = 'keys';

type Changes = Partial<Pick<KeysView, 'made' | 'form' | 'done' | 'problem'>> & {
  readonly before?: string | undefined;
};

export function keyRoutes(app: App, deps: ConsoleDeps): void {
  const { store, clock, keys } = deps;
  const PageQuery = Type.Object({
    done: Type.Optional(Type.String()),
    before: Type.Optional(IdText),
  });
  const KeyParams = Type.Object({ ...BRAND_PARAM, key_id: IdText });

  app.get(
    KEYS_ROUTE,
    {
      schema: { hide: true, params: Type.Object(BRAND_PARAM), querystring: PageQuery },
      config: { right: RIGHT },
    },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      const { done, before } = request.query;
      const changes = { done: doneWords(done, words.console), before };
      return await sendKeys(deps, { request, reply }, changes, 200);
    },
  );

  addForm(app, {
    path: KEYS_ROUTE,
    right: RIGHT,
    params: Type.Object(BRAND_PARAM),
    refusals: (words) => ({ rule_broken: words.keys.full }),
    show: (to, form, status) => sendKeys(deps, to, { form }, status),
    run: async (to, values) => {
      const limitedTo = KEY_LIMITS.find((limit) => limit === values['limit']);
      if (limitedTo === undefined) {
        const wrong = { pointer: '/limit', code: 'not_one_of', limit: null, actual: null } as const;
        throw fieldsProblem([wrong]);
      }
      const { key } = await issueBrandKey(store, {
        tenantId: getBrand(to),
        label: (values['label'] ?? '').trim(),
        limitedTo,
        caller: callerOfPerson(to.request, getVisitor(to.request).person),
        nowMs: clock.nowMs(),
      });
      await keys.refresh();
      return await sendKeys(deps, to, { made: { key, isInPlace: false } }, 200);
    },
  });

  addForm(app, {
    path: `${KEYS_ROUTE}/:key_id/rotate`,
    right: RIGHT,
    params: KeyParams,
    refusals: (words) => ({ rule_broken: words.keys.full }),
    show: (to, { problem }, status) => sendKeys(deps, to, { problem }, status),
    run: async (to) => {
      const { key } = await rotateBrandKey(store, {
        ...readChange(to),
        overlapMs: ROTATED_OVERLAP_MS,
      });
      await keys.refresh();
      return await sendKeys(deps, to, { made: { key, isInPlace: true } }, 200);
    },
  });

  addForm(app, {
    path: `${KEYS_ROUTE}/:key_id/revoke`,
    right: RIGHT,
    params: KeyParams,
    show: (to, { problem }, status) => sendKeys(deps, to, { problem }, status),
    run: async (to) => {
      await revokeBrandKey(store, readChange(to));
      await keys.refresh();
      return await to.reply.redirect(withDone(brandPath(getBrand(to), 'keys'), 'key-revoked'), 303);
    },
  });

  function readChange(to: To) {
    return {
      tenantId: getBrand(to),
      keyId: present(param(to, 'key_id'), 'the id of a key'),
      caller: callerOfPerson(to.request, getVisitor(to.request).person),
      nowMs: clock.nowMs(),
    };
  }
}

async function sendKeys(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const brand = getBrand(to);
  const path = brandPath(brand, 'keys');
  const reader = prepareConsoleReader(to.request, to.reply);
  const keys = await listBrandKeys(deps.database, {
    tenantId: brand,
    before: changes.before ?? null,
    nowMs: deps.clock.nowMs(),
  });
  const body = keysPage(
    {
      ...{ path, brand, keys },
      name: await readName(deps, brand),
      publicUrl: deps.people.publicUrl,
      made: undefined,
      form: EMPTY_FORM,
      done: undefined,
      problem: undefined,
      ...changes,
    },
    reader,
  );
  const { title } = reader.words.console.keys;
  return await sendFramed(deps, to, { title, path, brand, body }, status);
}
