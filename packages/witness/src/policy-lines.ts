/** What those who run logs need of a witness, as a start prints it. */

/** Below the address of whoever serves it. */
export const WITNESS_PATH = '/witness';

export interface ServedWitness {
  readonly vkey: string;
  /** Where others reach it. */
  readonly prefix: string;
  readonly logCount: number;
}

export function policyLines(told: ServedWitness): readonly string[] {
  return [
    `Witness of ${told.logCount} logs. The line for the policy of each:`,
    '',
    `  witness NAME ${told.vkey} ${told.prefix}`,
  ];
}
