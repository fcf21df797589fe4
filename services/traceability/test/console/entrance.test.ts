// The attacks on the entrance of the console: log-in, set-up, invitations and passwords by its forms.
import { openForFile } from '@lothub/kit/test/open-for-file';
import { attackEntrances, formEntrance } from '@lothub/people/test/entrance-attacks';
import { boot } from '../boot.ts';

const entrance = formEntrance({
  name: 'console',
  prefix: '/console',
  boot: (env) => boot({ env }),
});
const open = await openForFile(
  entrance.boot({ NOTIFICATIONS_RATE_LOGIN_BURST: '0', LOG_LEVEL: 'trace' }),
);

await attackEntrances([entrance], open);
