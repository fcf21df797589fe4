// All adapters, by name.
import type { Adapter } from '../../keys/key-prefix.ts';
import type { Sender } from '../sender.ts';
import { ALERTMANAGER, GRAFANA } from './alerts.ts';
import { CLOUDEVENTS } from './cloudevents.ts';
import { GITHUB } from './github.ts';
import { SLACK } from './slack.ts';

export const SENDERS: Readonly<Record<Adapter, Sender>> = {
  alertmanager: ALERTMANAGER,
  grafana: GRAFANA,
  github: GITHUB,
  cloudevents: CLOUDEVENTS,
  slack: SLACK,
};
