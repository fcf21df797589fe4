// The keys of the hub: list, make, replace, revoke. A key is shown once, in the answer that made it.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { callerOfPerson, type App } from '../../../http.ts';
import {
  HUB_KEY_KINDS,
  issueHubKey,
  listHubKeys,
  revokeHubKey,
  rotateHubKey,
} from '../../../keys/hub-keys.ts';
import { BRAND_MAX } from '../../../web/fragments.ts';
import { getVisitor } from '../../access.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { doneWords, withDone } from '../../done.ts';
import { addForm } from '../../forms.ts';
import { ROTATED_OVERLAP_MS } from '../../keys/routes.ts';
import { param } from '../../params.ts';
import { HUB_KEYS } from '../../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../../send.ts';
import { readBrandId } from '../brand-id.ts';
import { hubKeysPage, type HubKeysView } from './keys-page.ts';

const RIGHT = 'hub-keys';
const ID_MAX = 64;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });

type Changes = Partial<Omit<HubKeysView, 'keys'>> & { readonly before?: string | undefined };

export function hubKeyRoutes(app: App, deps: ConsoleDeps): void {
  const { store, clock, keys } = deps;
  const PageQuery = Type.Object({
    brand: Type.Optional(Type.String({ maxLength: BRAND_MAX })),
    before: Type.Optional(IdText),
    done: Type.Optional(Type.String()),
  });
  const KeyParams = Type.Object({ key_id: IdText });

  app.get(
    HUB_KEYS,
    { schema: { hide: true, querystring: PageQuery }, config: { right: RIGHT } },
    async (request, reply) => {
      const { brand, before, done } = request.query;
      const { words } = prepareConsoleReader(request, reply);
      return await sendKeys(
        deps,
        { request, reply },
        { brand: textOrNothing(brand)?.trim(), before, done: doneWords(done, words.console) },
        200,
      );
    },
  );

  addForm(app, {
    path: HUB_KEYS,
    right: RIGHT,
    refusals: (words) => ({ rule_broken: words.operator.hubKeys.full }),
    show: (to, form, status) => sendKeys(deps, to, { form }, status),
    run: async (to, values) => {
      const kind = HUB_KEY_KINDS.find((one) => one === values['kind']);
      if (kind === undefined) {
        const wrong = { pointer: '/kind', code: 'not_one_of', limit: null, actual: null } as const;
        throw fieldsProblem([wrong]);
      }
      const { key } = await issueHubKey(store, {
        kind,
        tenantId: kind === 'brand' ? readBrandId(values) : null,
        label: (values['label'] ?? '').trim(),
        ...changedBy(to),
      });
      await keys.refresh();
      return await sendKeys(deps, to, { made: { key, isInPlace: false } }, 200);
    },
  });

  addForm(app, {
    path: `${HUB_KEYS}/:key_id/rotate`,
    right: RIGHT,
    params: KeyParams,
    refusals: (words) => ({ rule_broken: words.operator.hubKeys.full }),
    show: (to, { problem }, status) => sendKeys(deps, to, { problem }, status),
    run: async (to) => {
      const change = { ...readChange(to), overlapMs: ROTATED_OVERLAP_MS };
      const { key } = await rotateHubKey(store, change);
      await keys.refresh();
      return await sendKeys(deps, to, { made: { key, isInPlace: true } }, 200);
    },
  });

  addForm(app, {
    path: `${HUB_KEYS}/:key_id/revoke`,
    right: RIGHT,
    params: KeyParams,
    show: (to, { problem }, status) => sendKeys(deps, to, { problem }, status),
    run: async (to) => {
      await revokeHubKey(store, readChange(to));
      await keys.refresh();
      return await to.reply.redirect(withDone(HUB_KEYS, 'key-revoked'), 303);
    },
  });

  function changedBy({ request }: To) {
    const { person } = getVisitor(request);
    return { caller: callerOfPerson(request, person), nowMs: clock.nowMs() };
  }

  function readChange(to: To) {
    return { keyId: present(param(to, 'key_id'), 'the id of a key'), ...changedBy(to) };
  }
}

async function sendKeys(
  deps: ConsoleDeps,
  to: To,
  changes: Changes,
  status: number,
): Promise<FastifyReply> {
  const reader = prepareConsoleReader(to.request, to.reply);
  const { brand, before, made, form = EMPTY_FORM, done, problem } = changes;
  const keys = await listHubKeys(deps.database, {
    tenantId: brand,
    before: before ?? null,
    nowMs: deps.clock.nowMs(),
  });
  const body = hubKeysPage({ keys, brand, made, form, done, problem }, reader);
  const { title } = reader.words.console.operator.hubKeys;
  return await sendFramed(deps, to, { title, path: HUB_KEYS, body }, status);
}
