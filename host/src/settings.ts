// Which services a process serves, with the settings of each: whatever is wrong in any of them is reported
// at once. `SERVICES` is described in docs/operating.md.
import { SettingsError, SettingsReader } from '@lothub/kit/settings';
import { readSettings as readNotificationSettings } from '@lothub/notifications/settings';
import type { Settings as NotificationSettings } from '@lothub/notifications/settings';
import { readSettings as readHubSettings } from '@lothub/traceability/settings';
import type { Settings as HubSettings } from '@lothub/traceability/settings';

export const SERVICES = ['both', 'traceability', 'notifications'] as const;

export type Settings =
  | {
      readonly services: 'both';
      readonly hub: HubSettings;
      readonly notifications: NotificationSettings;
    }
  | { readonly services: 'traceability'; readonly hub: HubSettings }
  | { readonly services: 'notifications'; readonly notifications: NotificationSettings };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings of a service that is not served are not looked at.
 * @throws SettingsError naming every setting that is wrong
 */
export function readSettings(environment: Environment = process.env): Settings {
  const choice = attempt(() => readServices(environment));
  // With an unknown choice either service may be meant.
  const services = choice.value ?? 'both';
  if (services === 'traceability') return { services, hub: readHubSettings(environment) };
  if (services === 'notifications') {
    return { services, notifications: readNotificationSettings(environment) };
  }
  const hub = attempt(() => readHubSettings(environment));
  const notifications = attempt(() => readNotificationSettings(environment));
  if (choice.value === undefined || hub.value === undefined || notifications.value === undefined) {
    // What both read is wrong in both.
    const problems = [...choice.problems, ...hub.problems, ...notifications.problems];
    throw new SettingsError([...new Set(problems)]);
  }
  return { services, hub: hub.value, notifications: notifications.value };
}

function readServices(environment: Environment): (typeof SERVICES)[number] {
  const reader = new SettingsReader(environment);
  const services = reader.oneOf('SERVICES', 'both', SERVICES);
  reader.done();
  return services;
}

interface Attempt<Value> {
  /** Undefined when it has problems. */
  readonly value: Value | undefined;
  readonly problems: readonly string[];
}

function attempt<Value>(read: () => Value): Attempt<Value> {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { value: undefined, problems: error.problems };
  }
}
