// The people of a process that serves both services, as `lothub people` finds them: beside the notifications
// where these are served.
import type { ReadOperatedSettings } from '@lothub/people/cli/people-program';
import { readInboxPeople } from '@lothub/notifications/cli/people';
import { readHubPeople } from '@lothub/traceability/cli/people/operated-people';
import { readSettings } from './settings.ts';

/** @throws SettingsError naming every setting that is wrong */
export const readPeople: ReadOperatedSettings = (environment) => {
  const { services } = readSettings(environment);
  if (services === 'traceability') return readHubPeople(environment);
  const inbox = readInboxPeople(environment);
  // A link into a brand leads to the console, where there is one.
  return services === 'both' ? { ...inbox, prefix: readHubPeople(environment).prefix } : inbox;
};
