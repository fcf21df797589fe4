// `lothub people invite` and `invitations`: links into brands and to the operators of the hub.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';
import { answer, tableText } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { COMMAND_LINE } from '../brands/roles-of-place.ts';
import { placeText } from '../places/place.ts';
import type { GivenCommand } from './given.ts';
import { withPeople } from './operated-people.ts';
import { addPlaceOptions, addRoleOptions, getPlace, getRole } from './place-options.ts';
import type { PlaceOptions, RoleOptions } from './place-options.ts';

const INVITE_ABOUT =
  'Makes a link that lets one person into a brand or to the operators of the hub, once and within seven\n' +
  'days. Whoever has no account yet makes one with it. It is printed this once.';

export function addInvitationCommands(parent: Command, given: GivenCommand): void {
  addInvite(parent, given);
  const invitations = parent
    .command('invitations')
    .description('list and withdraw open invitations');
  addListCommand(invitations, given);
  addWithdraw(invitations, given);
}

function addInvite(parent: Command, { output, finish, read }: GivenCommand): void {
  addRoleOptions(
    defineCommand(parent, {
      name: 'invite',
      summary: 'make an invitation and print its link once',
      description: INVITE_ABOUT,
      examples: [
        'lothub people invite --brand bakery --role manager --email ada@example.com',
        'lothub people invite --operator',
      ],
    }),
  )
    .option('--email <EMAIL>', 'only this e-mail may use the link')
    .action(async (options: RoleOptions & { readonly email?: string }) => {
      const { place, role } = getRole(options);
      const code = await withPeople({ output, read }, async ({ people, settings }) => {
        const { makeInvitation } = await import('../invitations/invitations.ts');
        const deps = { ...people, prefix: settings.prefix };
        const values = { place, role, email: options.email ?? null };
        const made = await makeInvitation(deps, COMMAND_LINE, values);
        const whose = made.email === null ? 'one person' : made.email;
        await answer(output, {
          json: { ok: true, place: placeText(place), ...made },
          text: [
            made.url,
            '',
            `It lets ${whose} in as ${role} of ${placeText(place)}, once and until ${made.expires_at}.`,
          ].join('\n'),
        });
        return EXIT.ok;
      });
      finish(code);
    });
}

function addListCommand(parent: Command, given: GivenCommand): void {
  const command = defineCommand(parent, {
    name: 'list',
    summary: 'list the open invitations of a brand or of the hub, without their links',
    examples: ['lothub people invitations list --brand bakery'],
  });
  addPageOptions(addPlaceOptions(command), parseId).action(
    async (options: PlaceOptions & PageOptions<string>) => given.finish(await list(given, options)),
  );
}

async function list(
  { output, read }: GivenCommand,
  options: PlaceOptions & PageOptions<string>,
): Promise<ExitCode> {
  const place = getPlace(options);
  const { limit, after } = options;
  return await withPeople({ output, read }, async ({ people }) => {
    const { listInvitations } = await import('../invitations/invitations.ts');
    const { items, next } = await listInvitations(people, COMMAND_LINE, { place, after, limit });
    await answer(output, {
      json: { ok: true, place: placeText(place), invitations: items, next },
      text: tableText(
        ['invitation id', 'role', 'for', 'made by', 'ends'],
        items.map((one) => [
          one.id,
          one.role,
          one.email ?? 'whoever has the link',
          one.invited_by,
          one.expires_at,
        ]),
      ),
    });
    noteNext(output, next);
    return EXIT.ok;
  });
}

function addWithdraw(parent: Command, { output, finish, read }: GivenCommand): void {
  addPlaceOptions(
    defineCommand(parent, {
      name: 'withdraw <INVITATION_ID>',
      summary: 'end an open invitation',
      examples: ['lothub people invitations withdraw inv_1aZ9xQ3mT7kB --brand bakery'],
    }),
  ).action(async (id: string, options: PlaceOptions) => {
    const place = getPlace(options);
    const code = await withPeople({ output, read }, async ({ people }) => {
      const { withdrawInvitation } = await import('../invitations/invitations.ts');
      await withdrawInvitation(people, COMMAND_LINE, { place, id });
      await answer(output, { json: { ok: true, id }, text: `${id} is withdrawn.` });
      return EXIT.ok;
    });
    finish(code);
  });
}
