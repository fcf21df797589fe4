// What all commands have in common: `--json`, and a help text that ends with an example.
import type { Command } from 'commander';
import type { ExitCode } from './command-error.ts';
import type { Output } from './terminal.ts';

/** One run of the program. */
export interface Invocation {
  readonly output: Output;
  /** Says with which code the process is to end. */
  readonly finish: (code: ExitCode) => void;
}

export interface CommandOutline {
  /** Name and arguments, as in `backup <FILE>`. */
  readonly name: string;
  readonly summary: string;
  /** Longer than the summary; may have several lines. */
  readonly description?: string;
  readonly examples: readonly string[];
}

export function defineCommand(parent: Command, outline: CommandOutline): Command {
  const examples = outline.examples.map((example) => `  ${example}`).join('\n');
  return parent
    .command(outline.name)
    .summary(outline.summary)
    .description(outline.description ?? outline.summary)
    .option('--json', 'answer with one JSON object on standard output')
    .addHelpText('after', `\nExample:\n${examples}`);
}
