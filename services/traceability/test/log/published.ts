// A checkpoint of a hub that witnesses have cosigned, stored as the rounds store one.
import { cosignatureBody, cosignatureLine, parseCheckpoint, utf8 } from '@lothub/chain/log';
import type { TestWitness } from '@lothub/chain/test/log/test-keys';
import type { Booted } from '../boot.ts';
import { testEngine } from '../engine.ts';

/** Puts the newest signed checkpoint, with the cosignatures, in place of the published one. */
export async function publishWitnessed(
  hub: Booted,
  witnesses: readonly TestWitness[],
): Promise<string> {
  const { text } = await hub.call('/log/1/checkpoint/latest');
  const { body, size, root } = parseCheckpoint(text);
  const lines = witnesses.map(({ name, key, time }) => {
    const signature = key.sign(utf8(cosignatureBody(time, body)));
    return cosignatureLine({ name, publicKey: key.publicKey, time, signature });
  });
  const note = text + lines.join('');
  const hex = root.toHex();
  const bytes = testEngine === 'sqlite' ? `x'${hex}'` : `decode('${hex}', 'hex')`;
  await hub.database.change(`
    insert into log_checkpoints (epoch, size, root, note, published_at)
    values (1, ${size}, ${bytes}, '${note}', '2026-03-02T07:15:00.000Z')`);
  return note;
}
