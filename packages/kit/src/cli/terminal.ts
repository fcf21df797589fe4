// What a command has of the world around it: where answers and notes go, in which form, and the
// environment its settings come from.
import type { Readable, Writable } from 'node:stream';

export interface Terminal {
  /** Answers, and with `--json` nothing else. */
  readonly stdout: Writable;
  /** Progress, notes and errors. */
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
  /** What is handed to a command; that of the process when not given. */
  readonly stdin?: Readable & { readonly isTTY?: boolean | undefined };
  /** Where settings are read from; that of the process when not given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export type Format = 'text' | 'json';

/** A terminal, and the form that was asked for. */
export interface Output {
  readonly terminal: Terminal;
  readonly format: Format;
}

/** Gives a command's result: one JSON object with `--json`, readable text without. */
export async function answer(
  output: Output,
  result: { readonly json: object; readonly text: string },
): Promise<void> {
  const text = output.format === 'json' ? JSON.stringify(result.json) : result.text;
  await write(output.terminal.stdout, `${text}\n`);
}

/** Writes a sentence for the person at the terminal; it is never part of the result. */
export function note(output: Output, text: string): void {
  output.terminal.stderr.write(`${text}\n`);
}

/** Resolves once the stream has taken the text. */
export async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

/** Columns side by side under their headings, wide enough for their longest cell. */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const printable = rows.map((row) => row.map(withoutControls));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...printable.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...printable]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text of others may hold what a terminal would obey; such characters are shown as a blank. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** `1 block`, `2 blocks`, `12,345 blocks`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
