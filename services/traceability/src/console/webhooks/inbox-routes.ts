// Connects a group of the inbox: the group gets a key, and messages are posted with it.
import { withDone } from '@lothub/design/done-mark';
import { Type } from '@lothub/kit/json-schema';
import { fieldsProblem } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { App } from '../../http.ts';
import type { WebhookEvent } from '../../ledger/webhooks/event-types.ts';
import type { Inbox, InboxGroup } from '../../webhooks/inbox.ts';
import { createInboxWebhook } from '../../webhooks/webhooks.ts';
import { getVisitor } from '../access.ts';
import { BRAND_PARAM, getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addForm } from '../forms.ts';
import { prepareConsoleReader, type To } from '../send.ts';
import { readActing } from './acting.ts';
import { chosenTypes } from './fields.ts';
import { WEBHOOKS_ROUTE, webhookPath } from './paths.ts';
import { sendWebhooks } from './send-pages.ts';

/** Limit for names of keys and webhooks; those of brands and groups may be longer. */
const NAME_MAX = 80;

export function inboxRoutes(app: App, deps: ConsoleDeps): void {
  addForm(app, {
    path: `${WEBHOOKS_ROUTE}/inbox`,
    right: 'webhooks',
    params: Type.Object(BRAND_PARAM),
    refusals: (words) => ({
      rule_broken: words.webhooks.full,
      limit_reached: words.webhooks.notConnected,
    }),
    show: (to, inboxForm, status) => sendWebhooks(deps, to, { inboxForm }, status),
    run: async (to, values) => {
      const { inbox } = deps;
      if (inbox === undefined) throw new Refusal('not_found', 'This hub has no inbox beside it');
      const { person } = getVisitor(to.request);
      const groups = await inbox.listGroups(person.accountId);
      const group = groups.find(({ id }) => id === values['group']);
      if (group === undefined) {
        const wrong = { pointer: '/group', code: 'not_one_of', limit: null, actual: null } as const;
        throw fieldsProblem([wrong]);
      }
      const types = chosenTypes(values);
      return await connectGroup(deps, to, { inbox, group, types });
    },
  });
}

async function connectGroup(
  deps: ConsoleDeps,
  to: To,
  chosen: {
    readonly inbox: Inbox;
    readonly group: InboxGroup;
    readonly types: readonly WebhookEvent[];
  },
): Promise<FastifyReply> {
  const { inbox, group, types } = chosen;
  const brand = getBrand(to);
  const { person } = getVisitor(to.request);
  const name = cutName(await readName(deps, brand));
  const { language } = prepareConsoleReader(to.request, to.reply);
  const values = { name: cutName(group.name), eventTypes: types, language };
  const webhookId = await createInboxWebhook(deps, readActing(to), {
    ...values,
    connect: () => inbox.connect({ person, groupId: group.id, name }),
  });
  return await to.reply.redirect(withDone(webhookPath(brand, webhookId), 'connected'), 303);
}

function cutName(name: string): string {
  return [...name].slice(0, NAME_MAX).join('');
}
