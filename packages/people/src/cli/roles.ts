// `lothub people grant` and `revoke`: gives and takes roles without an invitation.
import { EXIT } from '@lothub/kit/cli/command-error';
import { defineCommand } from '@lothub/kit/cli/define-command';
import { answer } from '@lothub/kit/cli/terminal';
import type { Command } from 'commander';
import { COMMAND_LINE } from '../brands/roles-of-place.ts';
import { placeText } from '../places/place.ts';
import { getAccount, type GivenCommand } from './given.ts';
import { withPeople } from './operated-people.ts';
import { addPlaceOptions, addRoleOptions, getPlace, getRole } from './place-options.ts';
import type { PlaceOptions, RoleOptions } from './place-options.ts';

const GRANT_ABOUT =
  'Gives somebody who has an account a role in a brand, or makes the person an operator of the hub. A\n' +
  'role that the person has in the brand is changed. An inbox from before brands has no operator: this\n' +
  'makes the first one.';
const REVOKE_ABOUT =
  'Takes somebody out of a brand, or of the operators of the hub. The account stays. The last manager\n' +
  'of a brand and the last operator stay what they are.';

export function addRoleCommands(parent: Command, { output, finish, read }: GivenCommand): void {
  addRoleOptions(
    defineCommand(parent, {
      name: 'grant <EMAIL>',
      summary: 'give a role in a brand, or make somebody an operator',
      description: GRANT_ABOUT,
      examples: [
        'lothub people grant ada@example.com --brand bakery --role manager',
        'lothub people grant --operator ada@example.com',
      ],
    }),
  ).action(async (email: string, options: RoleOptions) => {
    const given = getRole(options);
    const code = await withPeople({ output, read }, async ({ people }) => {
      const { giveRole } = await import('../brands/grants.ts');
      const { id, email: known } = await getAccount(people, email);
      await giveRole(people, COMMAND_LINE, { ...given, accountId: id });
      const place = placeText(given.place);
      await answer(output, {
        json: { ok: true, id, email: known, place, role: given.role },
        text: `${known} is ${given.role} of ${place} now.`,
      });
      return EXIT.ok;
    });
    finish(code);
  });

  addPlaceOptions(
    defineCommand(parent, {
      name: 'revoke <EMAIL>',
      summary: 'take a role in a brand, or of an operator',
      description: REVOKE_ABOUT,
      examples: ['lothub people revoke ada@example.com --brand bakery'],
    }),
  ).action(async (email: string, options: PlaceOptions) => {
    const place = getPlace(options);
    const code = await withPeople({ output, read }, async ({ people }) => {
      const { takeRole } = await import('../brands/grants.ts');
      const { id, email: known } = await getAccount(people, email);
      await takeRole(people, COMMAND_LINE, { place, accountId: id });
      await answer(output, {
        json: { ok: true, id, email: known, place: placeText(place) },
        text: `${known} has no role in ${placeText(place)} any more.`,
      });
      return EXIT.ok;
    });
    finish(code);
  });
}
