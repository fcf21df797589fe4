// Where the proof of one block is that it stands in the public log.

export function proofPath(epoch: number, height: number): string {
  return `/log/${epoch}/proof/${height}`;
}
