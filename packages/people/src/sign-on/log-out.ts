// Logging out at the provider too, when somebody who came from it logs out here.
import type { PeopleStore } from '../store/store.ts';
import type { PagesPrefix } from './next-path.ts';
import type { SignOn } from './sign-on.ts';
import { isFromSignOn } from './sign-on-queries.ts';

/**
 * Where a browser goes after a log-out, asked before its session ends.
 * @returns undefined when the session was not begun with a sign-on
 */
export async function logOutPath(
  { store, signOn }: { readonly store: PeopleStore; readonly signOn: SignOn | undefined },
  { tokenHash, prefix }: { readonly prefix: PagesPrefix; readonly tokenHash: string },
): Promise<string | undefined> {
  if (signOn === undefined) return undefined;
  return (await isFromSignOn(store.reader, tokenHash)) ? `${prefix}/sign-on/out` : undefined;
}
