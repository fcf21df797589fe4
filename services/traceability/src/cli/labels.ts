// `lothub labels`: writes the QR codes, DataMatrix symbols or label sheets of lots to files.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, EXIT, formatReason } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { storeFile } from '@lothub/kit/cli/stored-file';
import { answer, countText, note, type Output } from '@lothub/kit/cli/terminal';
import { systemClock } from '@lothub/kit/clock';
import { StopSignals } from '@lothub/kit/lifecycle';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { FieldsRefusal } from '../errors.ts';
import { serialsBetween } from '../labels/serials.ts';
import { PAPERS, type Paper } from '../labels/sheet.ts';
import { IMAGE_FORMATS, SYMBOLOGIES, type ImageFormat, type Symbology } from '../labels/symbol.ts';
import { readSettings } from '../settings.ts';
import { parseTenantId } from './arguments.ts';
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { HubClient } from './hub-client.ts';
import { getTenantKey } from './tenant-key.ts';

const SHEET = 'sheet';
/** Lots of one run, and files of it. */
const LOTS_MAX = 1_000;
const FILES_MAX = 10_000;
/** A length that every file system permits, with room for the endings that the program adds. */
const NAME_CHARACTERS_MAX = 120;

interface LabelOptions {
  readonly tenant: string;
  readonly to: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly symbology: Symbology;
  readonly format: ImageFormat | typeof SHEET;
  readonly sku?: string;
  readonly serials?: SerialRange;
  readonly moduleMm?: string;
  readonly modulePx?: string;
  readonly paper?: Paper;
  readonly columns?: string;
  readonly rows?: string;
  readonly copies?: string;
  readonly force?: true;
}

interface SerialRange {
  readonly from: string;
  readonly to: string;
}

interface WrittenLabel {
  readonly lot_code: string;
  readonly serial: string | null;
  readonly file: string;
}

const ABOUT =
  'Writes a file for each LOT to a directory: its QR code or GS1 DataMatrix as SVG or PNG, or a sheet\n' +
  'of labels to print. Whoever scans the QR code comes to the page of the lot on the hub. The key\n' +
  'comes from TENANT_API_KEY or --key-file.';

export function addLabels(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'labels <LOT...>',
    summary: 'write QR codes, DataMatrix symbols or label sheets of lots',
    description: ABOUT,
    examples: [
      'lothub labels BREAD-0302 --tenant bakery --to labels',
      'lothub labels BREAD-0302 --tenant bakery --to labels --format sheet --serials 0001-0024',
    ],
  })
    .requiredOption('--tenant <ID>', 'the tenant whose lots these are', parseTenantId)
    .option('--to <DIRECTORY>', 'where the files go; it is made when it is not there', '.')
    .option('--url <BASE>', 'address of the hub (default: PUBLIC_URL, or the local service)')
    .option('--key-file <FILE>', 'a file that holds the tenant key')
    .addOption(new Option('--symbology <NAME>', 'what is drawn').choices(SYMBOLOGIES).default('qr'))
    .addOption(
      new Option('--format <FORM>', 'a picture, or a sheet of labels as HTML')
        .choices([...IMAGE_FORMATS, SHEET])
        .default('svg'),
    )
    .option('--sku <SKU>', 'of a lot with several SKUs: whose GTIN the label has')
    .option(
      '--serials <FROM-TO>',
      'a label for each serial number, such as 0001-0024',
      parseSerials,
    )
    .option('--module-mm <MM>', 'side of one module in millimetres (SVG and sheet)')
    .option('--module-px <PIXELS>', 'side of one module in pixels, an even number (PNG)')
    .addOption(new Option('--paper <SIZE>', 'of a sheet (default: a4)').choices(PAPERS))
    .option('--columns <COUNT>', 'labels side by side on a sheet')
    .option('--rows <COUNT>', 'labels below each other on a sheet')
    .option('--copies <COUNT>', 'of each label on a sheet')
    .option('--force', 'replace files that are there')
    .action(async (lotCodes: readonly string[], options: LabelOptions) => {
      await writeLabels(output, lotCodes, options);
      finish(EXIT.ok);
    });
}

/** @throws InvalidArgumentError */
function parseSerials(text: string): SerialRange {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  throw new InvalidArgumentError('Give the first and the last number, such as 0001-0024.');
}

async function writeLabels(
  output: Output,
  lotCodes: readonly string[],
  options: LabelOptions,
): Promise<void> {
  const base = parseBaseAddress(options.url ?? readSettings(output.terminal.environment).publicUrl);
  const key = await getTenantKey(output, options.keyFile);
  const asked = labelsAsked(lotCodes, options);
  using stop = new StopSignals({ clock: systemClock });
  const client = new HubClient({
    base,
    headers: { 'X-Api-Key': key, 'X-Tenant-Id': options.tenant },
    signal: stop.signal,
    onWait: (seconds) => note(output, `waiting ${countText(seconds, 'second')}: the hub is busy`),
  });
  await makeDirectory(options.to);
  const existing = options.force === true ? 'replace' : 'refuse';
  const written: WrittenLabel[] = [];
  for (const { lotCode, serial, file, path } of asked) {
    const bytes = await client.getBytes(path);
    await storeFile({ file, existing, attempt: 'writing a label' }, (passingName) =>
      writeFile(passingName, bytes),
    );
    written.push({ lot_code: lotCode, serial: serial ?? null, file });
  }
  await answer(output, {
    json: { ok: true, url: base, tenant: options.tenant, files: written },
    text: [
      `Wrote ${countText(written.length, 'file')}:`,
      ...written.map(({ file }) => `  ${file}`),
    ].join('\n'),
  });
}

interface LabelAsked {
  readonly lotCode: string;
  readonly serial: string | undefined;
  readonly file: string;
  /** The path from the base. */
  readonly path: string;
}

/** @throws CommandError `usage_wrong` when there are too many */
function labelsAsked(lotCodes: readonly string[], options: LabelOptions): readonly LabelAsked[] {
  const { format, serials, to, symbology } = options;
  const lots = [...new Set(lotCodes)];
  if (lots.length > LOTS_MAX) {
    throw new CommandError(
      'usage_wrong',
      `writing labels: give at most ${LOTS_MAX} lots at a time`,
    );
  }
  const each: readonly (string | undefined)[] =
    serials === undefined || format === SHEET ? [undefined] : listNumbers(serials);
  const names = new Set<string>();
  return lots.flatMap((lotCode) =>
    each.map((serial) => {
      const stem = [lotCode, serial, format === SHEET ? `${symbology}-sheet` : symbology]
        .filter((part) => part !== undefined)
        .map(asFileName)
        .join('-');
      const name = unusedName(names, stem, format === SHEET ? 'html' : format);
      const endpoint = format === SHEET ? 'label-sheet' : 'label';
      const query = buildQuery(options, serial).toString();
      return {
        lotCode,
        serial,
        file: join(to, name),
        path: `/v1/lots/${encodeURIComponent(lotCode)}/${endpoint}?${query}`,
      };
    }),
  );
}

/** @throws CommandError `usage_wrong` */
function listNumbers({ from, to }: SerialRange): readonly string[] {
  try {
    return serialsBetween({ from, to, max: FILES_MAX }) ?? [];
  } catch (error) {
    if (!(error instanceof FieldsRefusal)) throw error;
    const reason = error.fields.map(({ msg }) => msg).join('; ');
    throw new CommandError('usage_wrong', `reading --serials ${from}-${to}: ${reason}`);
  }
}

/**
 * The hub checks the values and refuses wrong ones; the query has only the options that were given.
 */
function buildQuery(options: LabelOptions, serial: string | undefined): URLSearchParams {
  const { format, serials } = options;
  const isSheet = format === SHEET;
  const given = {
    symbology: options.symbology,
    sku: options.sku,
    module_mm: options.moduleMm,
    ...(isSheet
      ? {
          paper: options.paper,
          columns: options.columns,
          rows: options.rows,
          copies: options.copies,
          serial_from: serials?.from,
          serial_to: serials?.to,
        }
      : { format, serial, module_px: options.modulePx }),
  };
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(pairs);
}

/** A part of a name that every file system takes, and that leads nowhere else. */
function asFileName(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
    .replace(/^\./, '_')
    .slice(0, NAME_CHARACTERS_MAX);
}

/** Two codes that differ in what a file name cannot have get names that differ. */
function unusedName(names: Set<string>, stem: string, extension: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${stem}${count === 1 ? '' : `-${count}`}.${extension}`;
    // Some file systems take capitals and small letters for the same.
    if (names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    return name;
  }
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (error) {
    throw new CommandError('file_unwritable', `making ${directory}: ${formatReason(error)}`, {
      cause: error,
    });
  }
}
