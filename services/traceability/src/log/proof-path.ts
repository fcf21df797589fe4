// Makes the path of the proof that one block is in the public log.

export function proofPath(epoch: number, height: number): string {
  return `/log/${epoch}/proof/${height}`;
}
