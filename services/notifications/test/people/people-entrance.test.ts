// The attacks on the entrances of the inbox: log-in, set-up, invitations and passwords by its interface and by the
// forms of its pages.
import { openForFile } from '@lothub/kit/test/open-for-file';
import { attackEntrances, formEntrance } from '@lothub/people/test/entrance-attacks';
import type { Entrance, Sent } from '@lothub/people/test/entrance-attacks';
import { boot, type Booted } from '../boot.ts';
import { newGroup, newPerson } from './person.ts';

const open: Booted = await openForFile(boot({ env: { LOG_LEVEL: 'trace' } }));

const json = (method: string, path: string, body: unknown): Sent => ({
  method,
  path: `/api/v1${path}`,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const byInterface: Entrance = {
  name: 'interface of the inbox',
  prefix: '/inbox',
  boot: (env) => boot({ env }),
  logIn: (who) => json('POST', '/session', who),
  logOut: { method: 'DELETE', path: '/api/v1/session' },
  setUp: (token, person) => json('POST', '/setup', { token, ...person }),
  accept: (token, person) => json('POST', '/invitations/accept', { token, person }),
  changePassword: ({ old, next }) =>
    json('PUT', '/me/password', { old_password: old, new_password: next }),
  me: '/api/v1/me',
  // All of them are of the service without limits.
  invite: async (_service, email) => {
    const owner = await newPerson(open, 'Olga');
    const groupId = await newGroup(owner);
    const made = await owner.send('POST', `/api/v1/groups/${groupId}/invitations`, { email });
    return {
      secret: String(made.json['url']).split('/').at(-1) ?? '',
      countInside: async () => {
        const members = 'select account_id from members where group_id = ?';
        const rows = await open.database.rows(members, groupId);
        return rows.length - 1;
      },
    };
  },
};

const byForms = formEntrance({
  name: 'pages of the inbox',
  prefix: '/inbox',
  boot: (env) => boot({ env }),
});

await attackEntrances([byInterface, byForms], open);
