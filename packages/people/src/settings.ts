// The settings of people, the same for every service that lets people in. Each is described in
// docs/operating.md.
import type { SettingsReader } from '@lothub/kit/settings';
import { readSignOnSettings, type SignOnSettings } from './sign-on/settings.ts';

export interface PeopleSettings {
  readonly loginRates: LoginRates;
  /** Undefined: people log in with passwords alone. */
  readonly signOn?: SignOnSettings | undefined;
}

/** How often a log-in may fail. A burst of 0 turns the limit off. */
export interface LoginRates {
  readonly burst: number;
  readonly perMinute: number;
}

const RATE_MAX = 1_000_000_000;
const BURST_DEFAULT = 10;
const PER_MINUTE_DEFAULT = 2;

/** What is wrong is noted by the reader. */
export function readPeopleSettings(reader: SettingsReader): PeopleSettings {
  const rate = (name: string, fallback: number): number =>
    reader.integer(name, fallback, { min: 0, max: RATE_MAX });
  return {
    loginRates: {
      burst: rate('NOTIFICATIONS_RATE_LOGIN_BURST', BURST_DEFAULT),
      perMinute: rate('NOTIFICATIONS_RATE_LOGIN_PER_MINUTE', PER_MINUTE_DEFAULT),
    },
    signOn: readSignOnSettings(reader),
  };
}
