// How people log in at this hub: by password, by the provider of single sign-on, or by both.
import type { WaysIn } from './entrance-pages.ts';
import type { People } from '../people.ts';

export function waysIn({ signOn }: Pick<People, 'signOn'>): WaysIn {
  return {
    bySignOn: signOn !== undefined,
    byPassword: signOn?.settings.passwordLogin !== 'off',
  };
}
