// The last part of a round: the bytes of each picture against the hash that the blocks of products seal, and
// pictures that no product has. A product without its picture is found at its block (decided/brands.ts).
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import sql from 'sql-template-tag';
import type { Findings } from './mismatch.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

/** Rows whose comparison takes as long as reading and hashing one picture. */
const ROWS_OF_PICTURE = 50;

interface PictureRow {
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** Height of the first product that has it; null: none has. */
  readonly height: number | null;
}

export class PicturesVerification {
  readonly #reader: SnapshotReader;
  #after: string | undefined;

  constructor(reader: SnapshotReader) {
    this.#reader = reader;
  }

  /**
   * Takes the next slice, of one moment.
   * @throws DatabaseError when rows cannot be read; nothing of the slice has been judged then
   */
  async advance(slice: {
    readonly rowsMax: number;
    /** Height of the last block that was verified. */
    readonly tip: number;
    readonly findings: Findings;
  }): Promise<'more' | 'complete'> {
    const limit = Math.ceil(slice.rowsMax / ROWS_OF_PICTURE);
    const pictures = await this.#reader.inSnapshot(() => this.#read(limit));
    for (const picture of pictures) comparePicture(picture, slice);
    const last = pictures.at(-1);
    if (last === undefined || pictures.length < limit) return 'complete';
    this.#after = last.sha256;
    return 'more';
  }

  #read(limit: number): Promise<readonly PictureRow[]> {
    // No text comes before the empty one.
    const behind = this.#after === undefined ? sql`>= ''` : sql`> ${this.#after}`;
    return this.#reader.all<PictureRow>(sql`
      select sha256, bytes,
        (select min(p.height) from products p where p.picture = pictures.sha256) as height
      from pictures
      where sha256 ${behind}
      order by sha256
      limit ${limit}`);
  }
}

function comparePicture(
  { sha256, bytes, height }: PictureRow,
  { tip, findings }: { readonly tip: number; readonly findings: Findings },
): void {
  if (height === null) {
    const message = 'the table pictures holds one that no product has';
    findings.add({ height: tip, code: 'picture_extra', message });
  } else if (sha256Bytes(bytes).toHex() !== sha256) {
    const message = `the picture of the product in block ${height} is not the one that was sealed`;
    findings.add({ height: Math.max(0, height), code: 'picture_differs', message });
  }
}
