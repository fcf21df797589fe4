// What is wrong with a value of a file, and what settles it. Never repeats the value.
export interface Refused {
  readonly msg: string;
  readonly type: string;
}
