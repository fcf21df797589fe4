// Where the proof of one block is that it is in the public log.

export function proofPath(epoch: number, height: number): string {
  return `/log/${epoch}/proof/${height}`;
}
