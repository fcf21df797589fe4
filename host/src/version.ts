// The version of the program.
import { packageVersion } from '@lothub/kit/package-version';

export const VERSION = packageVersion(new URL('../package.json', import.meta.url));
