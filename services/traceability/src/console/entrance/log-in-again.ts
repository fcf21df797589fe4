// The answer to a form whose session has ended: a log-in page that contains what was typed, and leads back to
// the same form. The page posts to the form's own address, with the typed values under other names, so that
// nothing is done with them before the person has seen them again. Passwords are not kept.
import { EMPTY_FORM, attribute, message, renderProblem } from '@lothub/design/desk-parts';
import { readFormValues, shownValues, type FormValues } from '@lothub/design/form-values';
import { html, type Html } from '@lothub/kit/html';
import { logInFields } from '@lothub/people/pages/entrance-pages';
import { PEOPLE_WORDS, type PeopleWords } from '@lothub/people/pages/words';
import type { People } from '@lothub/people/people';
import type { FastifyReply } from 'fastify';
import type { RefusedForm } from '../forms.ts';
import { SIGN_ON } from '../paths.ts';
import { BEFORE, IS_BEFORE, isTypedBefore, typedBefore } from './typed-before.ts';
import { waysIn } from '@lothub/people/pages/ways-in';
import { prepareConsoleReader, sendAlone, type SendDeps, type To } from '../send.ts';

/** RFC 9110, section 15.5.2: a 401 names a scheme; browsers show the page for one they do not know. */
const CHALLENGE = 'Session realm="console"';

/** @param to `refused`: how the log-in on this page itself was refused */
export async function sendLogInAgain(
  deps: SendDeps & { readonly people: People },
  to: To & { readonly refused?: RefusedForm },
): Promise<FastifyReply> {
  const { request, reply, refused } = to;
  const reader = prepareConsoleReader(request, reply);
  const values = readFormValues(request.body);
  const typed = isTypedBefore(values) ? typedBefore(values) : shownValues(values);
  const form = refused?.form ?? EMPTY_FORM;
  const words = reader.words.console.again;
  const { byPassword, bySignOn } = waysIn(deps.people);
  const ofPeople = PEOPLE_WORDS[reader.language];
  const body = html`<div class="card">
    <h1>${words.title}</h1>
    ${message('note', html`${words.ended} ${words.passwordsNot}`)}
    ${renderProblem(form, ofPeople.fields.lookAtFields)}
    ${
      byPassword
        ? html`<form method="post" action="${request.url}">
            ${carried(typed)} ${logInFields(form, ofPeople)}
            <button type="submit">${words.logIn}</button>
          </form>`
        : ''
    }
    ${bySignOn ? signOnElsewhere(ofPeople) : ''}
    <form method="post" action="${request.url}">
      ${carried(typed)}
      <p><button class="quiet" type="submit">${words.elsewhere}</button></p>
    </form>
  </div>`;
  void reply.header('WWW-Authenticate', CHALLENGE);
  return await sendAlone(
    deps,
    { request, reply },
    { title: words.title, body },
    refused?.status ?? 401,
  );
}

/** It opens in a window of its own, so that this page stays with what was typed. */
function signOnElsewhere({ logIn }: PeopleWords): Html {
  return html`<p>
    <a class="button quiet" href="${SIGN_ON}" target="_blank" rel="noopener">${logIn.signOn}</a>
  </p>`;
}

function carried(typed: FormValues): Html {
  return html`<input type="hidden" name="${IS_BEFORE}" value="yes" />${Object.entries(typed).map(
      ([name, value]) =>
        html`<input type="hidden" ${attribute('name', `${BEFORE}${name}`)} value="${value}" />`,
    )}`;
}
