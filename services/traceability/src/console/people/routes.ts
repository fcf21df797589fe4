// The people of a brand and the operators of the hub: list, invite, change a role, remove.
import { EMPTY_FORM } from '@lothub/design/desk-parts';
import { textOrNothing } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import { present } from '@lothub/kit/present';
import { toActor } from '@lothub/people/access/person';
import { changeRole, listPeople, takeRole } from '@lothub/people/brands/grants';
import { ROLES_OF_PLACE, type GrantPlace } from '@lothub/people/brands/roles-of-place';
import {
  INVITATIONS_MAX,
  listInvitations,
  makeInvitation,
  withdrawInvitation,
} from '@lothub/people/invitations/invitations';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { App } from '../../http.ts';
import type { Words } from '../../web/words/reader.ts';
import { getVisitor, type ConsoleRight } from '../access.ts';
import type { ConsoleDeps } from '../deps.ts';
import { doneWords, withDone, type Done } from '../done.ts';
import { addForm, type RefusalWords } from '../forms.ts';
import { param } from '../params.ts';
import { CONSOLE } from '../paths.ts';
import { prepareConsoleReader, sendFramed, type To } from '../send.ts';
import { peoplePage, type PeopleView, type PeopleWordsOfPlace } from './people-page.ts';

const PEOPLE_PER_PAGE = 100;
const ID_MAX = 64;
const IdText = Type.String({ minLength: 1, maxLength: ID_MAX });
const PageQuery = Type.Object({
  done: Type.Optional(Type.String()),
  after: Type.Optional(IdText),
});

/** A place whose people are managed on a page. */
export interface PeopledPlace {
  readonly kind: GrantPlace['kind'];
  /** Address of the page, with parameters. */
  readonly route: string;
  readonly params: Readonly<Record<string, TSchema>>;
  readonly right: ConsoleRight;
  readonly toPlace: (to: To) => GrantPlace;
  readonly buildPath: (place: GrantPlace) => string;
  readonly readName: (place: GrantPlace) => Promise<string | undefined>;
  readonly chooseWords: (words: Words['console']) => PeopleWordsOfPlace & {
    readonly last: string;
  };
  readonly removed: Done;
}

/** Content of a page that is not stored. */
type Changes = Partial<Pick<PeopleView, 'made' | 'form' | 'done' | 'problem'>> & {
  readonly after?: string | undefined;
};

export function peopleRoutes(app: App, deps: ConsoleDeps, place: PeopledPlace): void {
  const { people } = deps;
  const { route, right, toPlace, buildPath } = place;
  const show = (to: To, changes: Changes, status = 200) =>
    sendPeople(deps, place, { to, changes, status });

  app.get(
    route,
    {
      schema: { hide: true, params: Type.Object(place.params), querystring: PageQuery },
      config: { right },
    },
    async (request, reply) => {
      const { words } = prepareConsoleReader(request, reply);
      const { done, after } = request.query;
      return await show({ request, reply }, { done: doneWords(done, words.console), after });
    },
  );

  addForm(app, {
    path: `${route}/invitations`,
    right,
    params: Type.Object(place.params),
    refusals: (words) => ({ limit_reached: words.people.full }),
    show: (to, form, status) => show(to, { form }, status),
    run: async (to, values) => {
      const { person } = getVisitor(to.request);
      const made = await makeInvitation({ ...people, prefix: CONSOLE }, toActor(person), {
        place: toPlace(to),
        role: values['role'] ?? '',
        email: textOrNothing(values['email']) ?? null,
      });
      // This is no redirect: only this answer has the link.
      return await show(to, { made });
    },
  });

  /** A button beside a row; a refusal is shown at the top of the page. */
  const addButton = (button: {
    readonly path: string;
    readonly params: Readonly<Record<string, TSchema>>;
    readonly done: Done;
    readonly refusals?: (words: Words['console']) => RefusalWords;
    readonly run: (to: To, role: string) => Promise<unknown>;
  }): void => {
    addForm(app, {
      path: `${route}/${button.path}`,
      right,
      params: Type.Object({ ...place.params, ...button.params }),
      ...(button.refusals === undefined ? {} : { refusals: button.refusals }),
      show: (to, form, status) =>
        show(to, { problem: form.problem ?? Object.values(form.errors)[0] }, status),
      run: async (to, values) => {
        await button.run(to, values['role'] ?? '');
        const stays = getVisitor(to.request).person.accountId !== param(to, 'account_id');
        const next = stays ? withDone(buildPath(toPlace(to)), button.done) : CONSOLE;
        return await to.reply.redirect(next, 303);
      },
    });
  };

  addButton({
    path: 'invitations/:invitation_id/withdraw',
    params: { invitation_id: IdText },
    done: 'invitation-revoked',
    run: (to) =>
      withdrawInvitation(people, toActor(getVisitor(to.request).person), {
        place: toPlace(to),
        id: present(param(to, 'invitation_id'), 'the id of an invitation'),
      }),
  });
  addButton({
    path: ':account_id/remove',
    params: { account_id: IdText },
    done: place.removed,
    refusals: (words) => ({ conflict: place.chooseWords(words).last }),
    run: (to) =>
      takeRole(people, toActor(getVisitor(to.request).person), {
        place: toPlace(to),
        accountId: getAccountId(to),
      }),
  });
  if (ROLES_OF_PLACE[place.kind].roles.length < 2) return;
  addButton({
    path: ':account_id/role',
    params: { account_id: IdText },
    done: 'role-saved',
    refusals: (words) => ({ conflict: place.chooseWords(words).last }),
    run: (to, role) =>
      changeRole(people, toActor(getVisitor(to.request).person), {
        place: toPlace(to),
        accountId: getAccountId(to),
        role,
      }),
  });
}

function getAccountId(to: To): string {
  return present(param(to, 'account_id'), 'the id of an account');
}

async function sendPeople(
  deps: ConsoleDeps,
  { toPlace, buildPath, readName, chooseWords }: PeopledPlace,
  answer: { readonly to: To; readonly changes: Changes; readonly status: number },
): Promise<FastifyReply> {
  const { to, changes } = answer;
  const { people } = deps;
  const { person } = getVisitor(to.request);
  const actor = toActor(person);
  const place = toPlace(to);
  const path = buildPath(place);
  const reader = prepareConsoleReader(to.request, to.reply);
  const own = chooseWords(reader.words.console);
  const limit = PEOPLE_PER_PAGE;
  const listed = await listPeople(people, actor, { place, after: changes.after, limit });
  const invitations = await listInvitations(people, actor, { place, limit: INVITATIONS_MAX });
  const body = peoplePage(
    {
      path,
      own,
      name: await readName(place),
      self: person.accountId,
      roles: ROLES_OF_PLACE[place.kind].roles,
      people: listed,
      invitations: invitations.items,
      made: undefined,
      form: EMPTY_FORM,
      done: undefined,
      problem: undefined,
      ...changes,
    },
    reader,
  );
  const brand = place.kind === 'brand' ? { brand: place.id } : {};
  return await sendFramed(deps, to, { title: own.title, path, body, ...brand }, answer.status);
}
