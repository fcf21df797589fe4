// Identifiers of groups, people and what belongs to them: a prefix that says of what, and random
// characters, so that they can be made before anything is written and say nothing.
import { randomBase62 } from '@lothub/kit/secrets/base62';

/** 71 bits: no two of a billion meet by chance. */
const ID_LENGTH = 12;

export type IdPrefix = 'usr' | 'grp' | 'inv' | 'whk';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(ID_LENGTH)}`;
}
