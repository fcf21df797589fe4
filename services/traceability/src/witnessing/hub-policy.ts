// The hub's own policy: which witnesses it asks, how many of them must cosign, who runs them, and which of
// them are the operator's own and so count as none.
import { readFileSync } from 'node:fs';
import { parsePolicy, POLICY_BYTES_MAX, type Policy, type PolicyWitness } from '@lothub/chain/log';
import { SettingsError } from '@lothub/kit/settings';

export interface HubWitness {
  readonly witness: PolicyWitness;
  /** Who runs it, as the comment above its line says: `# run by: Example Authority`. */
  readonly operator: string | undefined;
  /** It runs under a domain of the hub's operator: its cosignature is requested, shown, and counts as none. */
  readonly isOwn: boolean;
}

export interface HubPolicy {
  /** As the operator wrote it. */
  readonly text: string;
  readonly policy: Policy;
  /** All that are asked, also those outside of the quorum, in the order of the file. */
  readonly witnesses: readonly HubWitness[];
}

/** A comment that says who runs the witness of the next line. */
const RUN_BY = /^#[ \t]*run by:[ \t]*(\S.{0,199}?)[ \t]*$/i;
const WITNESS_LINE = /^[ \t]*witness[ \t]+(\S+)[ \t]/;

/**
 * @param hub where it is: its origin, and its address when it is set
 * @throws SettingsError when the file cannot be read, or is no policy
 */
export async function readHubPolicy(
  file: string,
  hub: { readonly origin: string; readonly publicUrl: string | undefined },
): Promise<HubPolicy> {
  const listDomains = await loadDomainLister();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    const policy = parsePolicy(text);
    const domains = listDomains([hub.origin, hub.publicUrl]);
    const operators = operatorsIn(text);
    const witnesses = policy.witnesses.map((witness) => ({
      witness,
      operator: operators.get(witness.name),
      isOwn: !listDomains([witness.key.name, witness.url]).isDisjointFrom(domains),
    }));
    return { text, policy, witnesses };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError([
      `WITNESS_POLICY_FILE: reading ${file}: ${reason} (C2SP tlog-policy, at most ${POLICY_BYTES_MAX} bytes)`,
    ]);
  }
}

const LOG_LINE = /^[ \t]*log[ \t]/;

/** The lines of a policy for others, who have the log's key from the log itself. */
export function linesWithoutLogs(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !LOG_LINE.test(line));
}

/** Whether a witness can be asked there. */
export function isAddress(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:\/\/[^?#]+$/.test(url);
}

function operatorsIn(text: string): ReadonlyMap<string, string> {
  const operators = new Map<string, string>();
  let above: string | undefined;
  for (const line of text.split('\n')) {
    const [, name] = WITNESS_LINE.exec(line) ?? [];
    if (name !== undefined && above !== undefined) operators.set(name, above);
    above = RUN_BY.exec(line)?.[1];
  }
  return operators;
}

type ListDomains = (names: readonly (string | undefined)[]) => ReadonlySet<string>;

/**
 * Lists the registered domains of names and addresses; a host such as `localhost` has none. The
 * list of public suffixes is a third of a megabyte, which only a hub with a policy loads.
 */
async function loadDomainLister(): Promise<ListDomains> {
  const { getDomain } = await import('tldts');
  return (names) =>
    new Set(
      names.flatMap((name) =>
        name === undefined ? [] : (getDomain(name, { allowPrivateDomains: true }) ?? []),
      ),
    );
}
