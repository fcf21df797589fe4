/** What those who run logs need of a witness, as a start prints it. */

/** Below the address of whoever serves it. */
export const WITNESS_PATH = '/witness';

export interface ServedWitness {
  readonly vkey: string;
  /** Where others reach it. */
  readonly prefix: string;
  readonly logCount: number;
}

export function policyLines(witness: ServedWitness): readonly string[] {
  return [
    `Witness of ${witness.logCount} logs. The line for the policy of each:`,
    '',
    `  witness NAME ${witness.vkey} ${witness.prefix}`,
  ];
}
