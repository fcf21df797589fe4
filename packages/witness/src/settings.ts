// The settings of a witness that runs alone. Each is described in docs/operating.md.
import { resolve } from 'node:path';
import { isKeyName } from '@lothub/chain/log';
import { SettingsError, SettingsReader } from '@lothub/kit/settings';
import { readSharedSettings, type SharedSettings } from '@lothub/kit/shared-settings';

export interface WitnessSettings {
  /** The list of the logs that it knows. */
  readonly listFile: string;
  /** What its key is called; undefined: after the address. */
  readonly name: string | undefined;
}

export interface Settings extends SharedSettings {
  readonly witness: WitnessSettings;
}

/** Undefined without `WITNESS_LOGS`. What is wrong is noted by the reader. */
export function readWitnessSettings(reader: SettingsReader): WitnessSettings | undefined {
  const listFile = reader.text('WITNESS_LOGS', '');
  const name = reader.checkedText(
    'WITNESS_NAME',
    isKeyName,
    'a name of 1 to 255 bytes without white space and plus',
  );
  return listFile === '' ? undefined : { listFile: resolve(listFile), name };
}

/**
 * @throws SettingsError naming every setting that is wrong
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const reader = new SettingsReader(environment);
  const shared = readSharedSettings(reader);
  const witness = readWitnessSettings(reader);
  reader.done();
  if (witness === undefined) {
    throw new SettingsError(['WITNESS_LOGS is missing: set it to the file with the list of logs']);
  }
  return { ...shared, witness };
}
