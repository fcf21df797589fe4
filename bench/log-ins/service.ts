// Both services in one process, as `lothub serve` runs them, each on a port of its own.
import { openService as openNotifications } from '@lothub/notifications/server';
import { readSettings as readNotificationSettings } from '@lothub/notifications/settings';
import { openService as openHub } from '@lothub/traceability/server';
import { readSettings as readHubSettings } from '@lothub/traceability/settings';

const onFatal = (error: Error): void => {
  throw error;
};
const ANY_PORT = { host: '127.0.0.1', port: 0 };

const hub = await openHub({ settings: readHubSettings(), onFatal });
const notifications = await openNotifications({ settings: readNotificationSettings(), onFatal });
const address = await hub.app.listen(ANY_PORT);
const otherAddress = await notifications.app.listen(ANY_PORT);
process.on('message', (message) => {
  if (message !== 'close') return;
  void notifications
    .close()
    .then(() => hub.close())
    .then(() => process.disconnect?.());
});
if (process.send === undefined) throw new Error('the benchmark starts this file as a child');
process.send({ address, otherAddress });
