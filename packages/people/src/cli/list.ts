// `lothub people list`: who has an account, with all roles; or the people of one brand, or the operators.
import { instantText, instantTextOrNull } from '@lothub/kit/clock';
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';
import { answer, tableText } from '@lothub/kit/cli/terminal';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Command } from 'commander';
import { COMMAND_LINE, type GrantPlace } from '../brands/roles-of-place.ts';
import type { People } from '../people.ts';
import { placeText } from '../places/place.ts';
import type { GivenCommand } from './given.ts';
import { withPeople } from './operated-people.ts';
import { addPlaceOptions, findPlace, type PlaceOptions } from './place-options.ts';

type ListOptions = PlaceOptions & PageOptions<string>;

export function addList(parent: Command, { output, finish, read }: GivenCommand): void {
  const command = defineCommand(parent, {
    name: 'list',
    summary: 'list who has an account; with --brand or --operator, who has a role there',
    examples: ['lothub people list', 'lothub people list --brand bakery'],
  });
  addPageOptions(addPlaceOptions(command), parseId).action(async (options: ListOptions) => {
    const place = findPlace(options);
    const code = await withPeople({ output, read }, ({ people }) =>
      place === undefined
        ? listAccounts({ output, people }, options)
        : listOfPlace({ output, people, place }, options),
    );
    finish(code);
  });
}

interface Listing {
  readonly output: GivenCommand['output'];
  readonly people: People;
}

async function listAccounts(
  { output, people }: Listing,
  { limit, after }: ListOptions,
): Promise<ExitCode> {
  const { listedAccounts, rolesOfAccounts } = await import('./list-queries.ts');
  const { reader } = people.store;
  const { rows, last } = cutPage(await listedAccounts(reader, { after, limit: limit + 1 }), limit);
  const roles = await rolesOfAccounts(
    reader,
    rows.map(({ id }) => id),
  );
  const accounts = rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    roles: roles.get(row.id) ?? [],
    created_at: instantText(row.createdAt),
    last_seen_at: instantTextOrNull(row.lastSeenAt),
    erased_at: instantTextOrNull(row.erasedAt),
  }));
  const next = last?.id ?? null;
  await answer(output, {
    json: { ok: true, people: accounts, next },
    text: tableText(
      ['account id', 'e-mail', 'name', 'roles', 'created', 'last seen'],
      accounts.map((one) => [
        one.id,
        one.email ?? 'erased',
        one.name,
        one.roles.map(({ place, role }) => `${role} of ${place}`).join(', '),
        one.created_at,
        one.last_seen_at ?? 'never',
      ]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}

async function listOfPlace(
  { output, people, place }: Listing & { readonly place: GrantPlace },
  { limit, after }: ListOptions,
): Promise<ExitCode> {
  const { listPeople } = await import('../brands/grants.ts');
  const { items, next } = await listPeople(people, COMMAND_LINE, { place, after, limit });
  await answer(output, {
    json: { ok: true, place: placeText(place), people: items, next },
    text: tableText(
      ['account id', 'e-mail', 'name', 'role', 'since'],
      items.map((one) => [one.account_id, one.email, one.name, one.role, one.since]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}
