/**
 * Trust policies (c2sp.org/tlog-policy): which logs and witnesses a reader trusts, and how many of
 * them it takes. A policy comes from the reader of a proof, never from the proof.
 */
import { toBase64, utf8 } from './bytes.ts';
import { LogError } from './log-error.ts';
import { LOG_KEY_TYPE, parseVkey, WITNESS_KEY_TYPE, type VerifierKey } from './vkey.ts';

/** Longest policy that is read, in bytes. */
export const POLICY_BYTES_MAX = 65_536;
/** Most logs, witnesses and groups; the text of the format recommends at least 32 of each. */
export const POLICY_LINES_MAX = 64;

export interface PolicyLog {
  readonly key: VerifierKey;
  readonly url?: string;
}

export interface PolicyWitness {
  /** The name inside of the policy, which is not that of the key. */
  readonly name: string;
  readonly key: VerifierKey;
  readonly url?: string;
}

/** What must have cosigned: nobody, one witness, or so many members of a group. */
export type Quorum =
  | { readonly kind: 'none' }
  | { readonly kind: 'witness'; readonly witness: PolicyWitness }
  | {
      readonly kind: 'group';
      readonly threshold: number;
      readonly members: readonly Quorum[];
    };

export interface Policy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  readonly quorum: Quorum;
}

/** The name that stands for nobody. */
const NONE = 'none';
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const WHITE_SPACE = /[ \t]+/;
const THRESHOLD = /^[1-9][0-9]{0,3}$/;

/**
 * Reads a policy.
 *
 * @throws {LogError} `policy_invalid`, which says the number of the line
 */
export function parsePolicy(text: string): Policy {
  if (text.length > POLICY_BYTES_MAX || utf8(text).length > POLICY_BYTES_MAX) {
    throw new LogError('policy_invalid', `The policy is longer than ${POLICY_BYTES_MAX} bytes.`);
  }
  const reader = new PolicyReader();
  text.split('\n').forEach((line, index) => {
    const fault = reader.read(line);
    if (fault !== undefined) {
      throw new LogError('policy_invalid', `Line ${index + 1} of the policy ${fault}.`);
    }
  });
  return reader.policy();
}

/** Takes line by line what a policy says. */
class PolicyReader {
  readonly #logs: PolicyLog[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #named = new Map<string, Quorum>();
  readonly #members = new Set<string>();
  readonly #publicKeys = new Set<string>();
  #groups = 0;
  #quorum: Quorum | undefined;

  policy(): Policy {
    if (this.#quorum === undefined) {
      throw new LogError('policy_invalid', 'The policy has no quorum line.');
    }
    return { logs: this.#logs, witnesses: this.#witnesses, quorum: this.#quorum };
  }

  /** Answers what is wrong with a line, as the rest of a sentence. */
  read(line: string): string | undefined {
    if (FORBIDDEN.test(line)) return 'holds a control character other than a tab';
    const words = line.split(WHITE_SPACE).filter((word) => word !== '');
    const [keyword, ...rest] = words;
    if (keyword === undefined || keyword.startsWith('#')) return undefined;
    switch (keyword) {
      case 'log':
        return this.#readLog(rest);
      case 'witness':
        return this.#readWitness(rest);
      case 'group':
        return this.#readGroup(rest);
      case 'quorum':
        return this.#readQuorum(rest);
      default:
        return 'begins with none of log, witness, group and quorum';
    }
  }

  #readLog([vkey, url, ...more]: readonly string[]): string | undefined {
    if (vkey === undefined || more.length > 0) return 'is not: log VKEY [URL]';
    if (this.#logs.length === POLICY_LINES_MAX) return `is one log more than ${POLICY_LINES_MAX}`;
    const key = this.#readKey(vkey, LOG_KEY_TYPE);
    if (typeof key === 'string') return key;
    this.#logs.push(url === undefined ? { key } : { key, url });
    return undefined;
  }

  #readWitness([name, vkey, url, ...more]: readonly string[]): string | undefined {
    if (name === undefined || vkey === undefined || more.length > 0) {
      return 'is not: witness NAME VKEY [URL]';
    }
    if (this.#witnesses.length === POLICY_LINES_MAX) {
      return `is one witness more than ${POLICY_LINES_MAX}`;
    }
    if (this.#isTaken(name)) return 'uses a name again';
    const key = this.#readKey(vkey, WITNESS_KEY_TYPE);
    if (typeof key === 'string') return key;
    const witness = url === undefined ? { name, key } : { name, key, url };
    this.#witnesses.push(witness);
    this.#named.set(name, { kind: 'witness', witness });
    return undefined;
  }

  #readGroup([name, wanted, ...names]: readonly string[]): string | undefined {
    if (name === undefined || wanted === undefined || names.length === 0) {
      return 'is not: group NAME all|any|K NAME…';
    }
    if (this.#groups === POLICY_LINES_MAX) return `is one group more than ${POLICY_LINES_MAX}`;
    if (this.#isTaken(name)) return 'uses a name again';
    const threshold = parseThreshold(wanted, names.length);
    if (threshold === undefined) return 'asks for another number than 1 to that of its members';
    const members: Quorum[] = [];
    for (const member of names) {
      const found = this.#named.get(member);
      if (found === undefined) return 'names a member that no line before it defines';
      if (this.#members.has(member)) return 'names a member that is one already';
      this.#members.add(member);
      members.push(found);
    }
    this.#groups += 1;
    this.#named.set(name, { kind: 'group', threshold, members });
    return undefined;
  }

  #readQuorum([name, ...more]: readonly string[]): string | undefined {
    if (name === undefined || more.length > 0) return 'is not: quorum NAME';
    if (this.#quorum !== undefined) return 'is a second quorum line';
    this.#quorum = name === NONE ? { kind: NONE } : this.#named.get(name);
    return this.#quorum === undefined ? 'names a quorum that no line before it defines' : undefined;
  }

  #isTaken(name: string): boolean {
    return name === NONE || this.#named.has(name);
  }

  /** A key that no line before has; two names for one key would let one signer count twice. */
  #readKey(vkey: string, type: number): VerifierKey | string {
    let key: VerifierKey;
    try {
      key = parseVkey(vkey);
    } catch (error) {
      if (error instanceof LogError) return 'has no verifier key that is known here';
      throw error;
    }
    if (key.type !== type) {
      return type === LOG_KEY_TYPE
        ? 'has a key that is not for logs (type 0x01)'
        : 'has a key that is not for witnesses (type 0x04)';
    }
    const publicKey = toBase64(key.publicKey);
    if (this.#publicKeys.has(publicKey)) return 'has a public key that another line has';
    this.#publicKeys.add(publicKey);
    return key;
  }
}

function parseThreshold(wanted: string, members: number): number | undefined {
  if (wanted === 'all') return members;
  if (wanted === 'any') return 1;
  const threshold = THRESHOLD.test(wanted) ? Number(wanted) : undefined;
  return threshold !== undefined && threshold <= members ? threshold : undefined;
}
