// A fault of a value in a file, with its remedy. It never repeats the value.
export interface Refused {
  readonly msg: string;
  readonly type: string;
}
