// Opens what the chain only commits to, for the tenant to show to an authority: values, salt, the text
// that was hashed, and where the commitment is (docs/chain-format.md#disclosures).
import { canonicalize, type JsonObject } from '@lothub/chain';
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { buildRecord } from '@lothub/kit/build-record';
import type { Static } from 'typebox';
import { Refusal } from '../errors.ts';
import { isEventBlock, readCorrections } from '../ledger/effective-reader.ts';
import type { CorrectionBlock, EventBlock } from '../ledger/effective-reader.ts';
import { findFieldPath } from '../ledger/record/field-path.ts';
import { commitmentOfLine } from '../ledger/record/commitment.ts';
import { PRIVATE_LINE_NAMES } from '../ledger/record/fields.ts';
import { privateText, readPrivateValues } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { changeOpenings, sealedOpenings } from './queries.ts';
import type { ChangeOpening, SealedOpening } from './queries.ts';
import type { DisclosureSchema, OpeningSchema } from './schema.ts';

/** Maximum number of openings of one answer; a line of an event with more corrections is requested by itself. */
const OPENINGS_MAX = 5_000;

const HOW_TO_CHECK =
  'Hash each `canonical` with SHA-256: the result is its `commitment`. Find the block of ' +
  '`block_height` in the chain, check that it hashes to `block_hash`, and find the commitment in it ' +
  'at `place`. The values of later openings replace those of earlier ones. A program that shares no ' +
  'code with the hub does all of it and verifies the chain: save this answer as a file and run the ' +
  'command, with the address of the hub, or with an export in place of --url.';
const COMMAND = 'python3 verify.py --url https://HUB --disclosure FILE';

type Opening = Static<typeof OpeningSchema>;
export type Disclosure = Static<typeof DisclosureSchema>;

export interface DisclosureRequest {
  readonly tenantId: string;
  readonly eventId: number;
  /** Undefined: all of them, and the notes. */
  readonly line: number | undefined;
}

/** @throws Refusal `not_found`; of another tenant's event it says no more than of none */
export async function disclose(
  reader: LedgerReader,
  { tenantId, eventId, line }: DisclosureRequest,
): Promise<Disclosure> {
  const block = await reader.findBlock(eventId);
  if (block === undefined || !isEventBlock(block) || block.payload.brand !== tenantId) {
    throw new Refusal('not_found', 'No event of this id is known');
  }
  const { event } = block.payload;
  if (line !== undefined && line >= event.lines.length) {
    throw new Refusal('not_found', `The event has ${event.lines.length} lines, counted from 0`);
  }
  const { height } = block;
  const correctionsOf = await readCorrections(reader, [height]);
  const corrections = correctionsOf.get(height) ?? [];
  const changes = await askForEach(
    reader.database,
    cutSlices(corrections.map((one) => one.height)),
    changeOpenings,
  );
  const openings = [
    ...listSealed(block, { line, rows: await sealedOpenings(reader.database, height) }),
    ...listChanges(corrections, { line, rows: changes.flat() }),
  ];
  const values = (await readPrivateValues(reader.database, [height], correctionsOf)).effective(
    height,
  );
  const lineNos = [...new Set(openings.flatMap((opening) => opening.line ?? []))];
  return {
    event_id: height,
    brand: tenantId,
    chain_id: await reader.chainId(),
    block_height: height,
    block_hash: block.hash,
    openings: openings.slice(0, OPENINGS_MAX),
    truncated: openings.length > OPENINGS_MAX,
    effective: {
      notes: line === undefined ? values.notes : null,
      lines: lineNos
        .sort((a, b) => a - b)
        .map((lineNo) => ({
          line: lineNo,
          ...buildRecord(PRIVATE_LINE_NAMES, (name) => privateText(values.lines.get(lineNo), name)),
          erased: openings.some((opening) => opening.line === lineNo && opening.erased),
        })),
    },
    how_to_check: HOW_TO_CHECK,
    command: COMMAND,
  };
}

function listSealed(
  block: EventBlock,
  asked: { readonly line: number | undefined; readonly rows: readonly SealedOpening[] },
): readonly Opening[] {
  const { event } = block.payload;
  const rows = new Map(asked.rows.map((row) => [row.lineNo, row]));
  const openings: Opening[] = event.lines.flatMap((line, lineNo) => {
    const commitment = commitmentOfLine(line);
    if (commitment === undefined || (asked.line ?? lineNo) !== lineNo) return [];
    const row = rows.get(lineNo);
    const values =
      row === undefined || row.lineNo === null
        ? undefined
        : present(buildRecord(PRIVATE_LINE_NAMES, (name) => privateText(row, name)));
    const place = {
      line: lineNo,
      field: `lines[${lineNo}]`,
      place: `event.lines[${lineNo}].${line.consignee === undefined ? 'private' : 'consignee'}`,
    };
    return [buildOpening(block, { ...place, commitment, values, salt: row?.salt })];
  });
  if (event.private === undefined || asked.line !== undefined) return openings;
  const row = rows.get(null);
  const values = row?.lineNo === null ? { notes: row.notes } : undefined;
  const place = { line: null, field: 'notes', place: 'event.private' };
  return [
    ...openings,
    buildOpening(block, { ...place, commitment: event.private, values, salt: row?.salt }),
  ];
}

function listChanges(
  corrections: readonly CorrectionBlock[],
  asked: { readonly line: number | undefined; readonly rows: readonly ChangeOpening[] },
): readonly Opening[] {
  const rows = new Map(asked.rows.map((row) => [`${row.height}.${row.changeNo}`, row]));
  return corrections.flatMap((block) =>
    block.payload.correction.changes.flatMap(({ field, private: commitment }, changeNo) => {
      const path = findFieldPath(field);
      const line = path?.kind === 'line' ? path.lineNo : null;
      if (commitment === undefined || (asked.line !== undefined && asked.line !== line)) return [];
      const row = rows.get(`${block.height}.${changeNo}`);
      const values = row === undefined ? undefined : present({ from: row.from, to: row.to });
      const place = `correction.changes[${changeNo}].private`;
      return [buildOpening(block, { line, field, place, commitment, values, salt: row?.salt })];
    }),
  );
}

function buildOpening(
  block: { readonly height: number; readonly hash: string },
  opened: Pick<Opening, 'line' | 'field' | 'place' | 'commitment'> & {
    readonly values: Readonly<Record<string, string>> | undefined;
    readonly salt: string | undefined;
  },
): Opening {
  const { values, salt, ...place } = opened;
  const isOpen = values !== undefined && salt !== undefined;
  return {
    ...place,
    block_height: block.height,
    block_hash: block.hash,
    erased: !isOpen,
    values: isOpen ? { ...values } : null,
    salt: isOpen ? salt : null,
    canonical: isOpen ? canonicalize({ ...values, salt } satisfies JsonObject) : null,
  };
}

/** A value that was not there is absent from what was hashed. */
function present(values: Readonly<Record<string, string | null>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) if (value !== null) found[name] = value;
  return found;
}
