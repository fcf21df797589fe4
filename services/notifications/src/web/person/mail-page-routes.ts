// Mail on pages: one's own settings of it, and the link of each mail that ends it, which needs no log-in.
import type { FastifyReply } from 'fastify';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getSessionPerson } from '../../access/gate.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import {
  getReceiver,
  noSuchLink,
  turnMailOff,
  turnMailOn,
  turnReceiverOff,
} from '../../mail/mail-settings.ts';
import { MailChangeSchema, type MailChange } from '../../mail/schema.ts';
import { sendTestMail } from '../../mail/test-mail.ts';
import { readUnsubscribeToken } from '../../mail/unsubscribe-token.ts';
import { withDone } from '../done.ts';
import { checked, readFormValues, refusedForm } from '../forms.ts';
import { layOutAlone, sendPage } from '../layout.ts';
import type { WebDeps } from '../web-deps.ts';
import { unsubscribePage } from './mail-section.ts';
import { sendMe } from './me-page-routes.ts';

const ME = `${PAGES_PREFIX}/me`;
const HERE = 'mail';
const TOKEN_LENGTH_MAX = 200;

const checkMail = compileValueSchema<MailChange>(MailChangeSchema);

/** Behind the log-in. */
export function mailPageRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true };

  app.post(`${ME}/mail`, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      const { min_severity, rhythm } = values;
      await turnMailOn(
        deps.mail,
        getSessionPerson(request),
        checked(checkMail, { min_severity, rhythm }),
      );
      return await reply.redirect(`${withDone(ME, 'mail-saved')}#${HERE}`, 303);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      return await sendMe(deps, { request, reply }, { mailForm: refused.form }, refused.status);
    }
  });

  app.post(`${ME}/mail/off`, { schema }, async (request, reply) => {
    await turnMailOff(deps.mail, getSessionPerson(request));
    return await reply.redirect(`${withDone(ME, 'mail-off')}#${HERE}`, 303);
  });

  app.post(`${ME}/mail/test`, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      const { outcome, detail } = await sendTestMail(deps.mail, getSessionPerson(request));
      if (outcome === 'accepted') {
        return await reply.redirect(`${withDone(ME, 'mail-tested')}#${HERE}`, 303);
      }
      const mailForm = { values: {}, errors: {}, problem: `${detail}.` };
      return await sendMe(deps, { request, reply }, { mailForm });
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      return await sendMe(deps, { request, reply }, { mailForm: refused.form }, refused.status);
    }
  });
}

const path = `${PAGES_PREFIX}/unsubscribe/:token`;
const schema = {
  hide: true,
  params: Type.Object({ token: Type.String({ maxLength: TOKEN_LENGTH_MAX }) }),
};

/**
 * For everybody who has the link. Mail programs post to it by themselves, from anywhere and without a session
 * (RFC 8058, section 3.2). Only the token counts, so this is the only route that accepts writes from other sites.
 */
export function unsubscribeRoutes(app: App, deps: WebDeps): void {
  const { linkKey, store } = deps.mail;
  // RFC 8058 also allows this form. Everything that is needed is in the address.
  app.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, {}),
  );
  const receiverIn = (token: string): string => {
    const receiverId = readUnsubscribeToken(linkKey, token);
    if (receiverId === undefined) throw noSuchLink();
    return receiverId;
  };

  app.get(path, { schema }, async (request, reply) => {
    const { token } = request.params;
    const { status } = await getReceiver(store, receiverIn(token));
    return alone(reply, { token, isOn: status === 'active' });
  });

  app.post(path, { schema }, async (request, reply) => {
    const { token } = request.params;
    await turnReceiverOff(deps.mail, receiverIn(token));
    // A person is led to a page that may be loaded again; programs follow no redirect (RFC 8058, section 3.1).
    if (readFormValues(request.body)['from'] === 'page')
      return await reply.redirect(request.url, 303);
    return alone(reply, { token, isOn: false });
  });
}

function alone(
  reply: FastifyReply,
  link: { readonly token: string; readonly isOn: boolean },
): FastifyReply {
  return sendPage(reply, layOutAlone(unsubscribePage(link)));
}
