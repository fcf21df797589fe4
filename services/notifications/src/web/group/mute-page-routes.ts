// Muting a group on its pages.
import { instantText } from '@lothub/kit/clock';
import { getPerson } from '../../access/gate.ts';
import { MUTE_CHOICES, endOfMute, muteGroup, unmuteGroup } from '../../devices/mute.ts';
import { readReach } from '../../devices/preferences.ts';
import { Problem } from '../../errors.ts';
import { GroupParams } from '../../groups/group-schema.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { readFormValues } from '../forms.ts';
import type { WebDeps } from '../web-deps.ts';
import { submit } from './settings-answers.ts';

const SETTINGS = `${PAGES_PREFIX}/groups/:group_id/settings`;
/** The time zone of a person who has set none. */
const ZONE_UNSAID = 'UTC';

export function mutePageRoutes(app: App, deps: WebDeps): void {
  const schema = { hide: true, params: GroupParams };

  app.post(`${SETTINGS}/mute`, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    const choice = MUTE_CHOICES.find((one) => one === values['for']);
    const { accountId } = getPerson(request);
    const key = { accountId, groupId: request.params.group_id };
    return await submit(deps, { request, reply }, values, {
      run: async () => {
        if (choice === undefined) throw new Problem('fields_invalid', 'Pick one of the times');
        const { timeZone = ZONE_UNSAID } = await readReach(deps.store.reader, accountId);
        const end = endOfMute(choice, { nowMs: deps.clock.nowMs(), timeZone });
        await muteGroup(deps, key, end === null ? null : instantText(end));
      },
      done: 'muted',
    });
  });

  app.post(`${SETTINGS}/unmute`, { schema }, async (request, reply) => {
    const { accountId } = getPerson(request);
    const key = { accountId, groupId: request.params.group_id };
    return await submit(
      deps,
      { request, reply },
      {},
      { run: () => unmuteGroup(deps, key), done: 'unmuted' },
    );
  });
}
