// A group that is on disk and signed, with the proofs of its blocks as answers have them.
import {
  findParent,
  isWholeTree,
  toBase64,
  tlogProofLines,
  type GroupTree,
  type Subtree,
} from '@lothub/chain/log';
import { jsonText, type JsonText } from '@lothub/kit/http/schemas/json-text';
import type { GroupProof, SignedCheckpoint } from './signed-log.ts';

/** Between lines, in a JSON string. */
const LINE_END = jsonText('\n');

export class SignedGroup {
  readonly checkpoint: SignedCheckpoint;
  readonly tree: GroupTree;
  /** What a proof says from a subtree up, by level and index: the proofs of a group have most of it in common. */
  readonly #above: Map<number, string>[] = [];
  #ending: string | undefined;

  constructor({
    checkpoint,
    tree,
  }: {
    readonly checkpoint: SignedCheckpoint;
    readonly tree: GroupTree;
  }) {
    this.checkpoint = checkpoint;
    this.tree = tree;
  }

  /**
   * The text is that of `tlogProofText`: what is written between its first lines and the checkpoint, base64, needs
   * no escaping.
   * @param index of a block of the group
   * @throws LogError `range_invalid` when it is not
   */
  buildProof(index: number): GroupProof {
    const begin = tlogProofLines({ index, proof: [] }).join(LINE_END);
    const text = `${begin}${LINE_END}${this.#linesFrom({ level: 0, index })}`;
    return { index, text: text as JsonText };
  }

  /** The lines of a proof for a subtree and what is above it, and the checkpoint. */
  #linesFrom(subtree: Subtree): string {
    if (isWholeTree(subtree, this.tree.size)) {
      return (this.#ending ??= `${LINE_END}${jsonText(this.checkpoint.note)}`);
    }
    const { level, index } = subtree;
    const known = (this.#above[level] ??= new Map()).get(index);
    if (known !== undefined) return known;
    const beside = this.tree.hashBeside(subtree);
    const line = beside === undefined ? '' : `${toBase64(beside)}${LINE_END}`;
    const lines = line + this.#linesFrom(findParent(subtree));
    this.#above[level].set(index, lines);
    return lines;
  }
}
