// What the commands of people need of the program that has them.
import type { People } from '../people.ts';
import type { PeopleSettings } from '../settings.ts';
import type { SchemaPlace } from '@lothub/kit/cli/schema-state';

export interface OperatedSettings extends SchemaPlace {
  readonly settings: PeopleSettings & { readonly dataDir: string; readonly publicUrl: string };
  /** The setting that names the database, for what is said when it cannot be reached. */
  readonly databaseSetting: string;
  /** The start of the paths of pages that show links, such as `/console`. */
  readonly prefix: string;
  /**
   * Adds the places that a service keeps in a database of its own, such as groups. Only commands that need
   * all places of a person call it.
   */
  readonly openPlaces: (people: People) => Promise<AsyncDisposable>;
}

export type ReadOperatedSettings = (
  environment: Readonly<Record<string, string | undefined>> | undefined,
) => OperatedSettings;
