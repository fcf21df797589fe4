/** What a witness is called: decided when its key is made, and the same ever after. */
import { randomBytes } from 'node:crypto';
import { isKeyName } from '@lothub/chain/log';
import { namingHost } from '@lothub/note-key';

/** Random bytes that distinguish witnesses without a name. */
const NAMELESS_BYTES = 8;

/**
 * The name as it was set; else `<host>/witness` of the address by which the witness is reached; else a
 * random one, because no machine's name for itself is one for others.
 */
export function witnessName(named: {
  /** `WITNESS_NAME`. */
  readonly name: string | undefined;
  /** `PUBLIC_URL`, as far as it was set. */
  readonly publicUrl: string | undefined;
}): string {
  if (named.name !== undefined) return named.name;
  const host = namingHost(named.publicUrl);
  const name = `${host}/witness`;
  return host !== undefined && isKeyName(name)
    ? name
    : `lothub-${randomBytes(NAMELESS_BYTES).toString('hex')}/witness`;
}
