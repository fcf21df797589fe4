// Passwords at rest: argon2id in the PHC string format, made and checked few at a time. The rules for new
// passwords are in password-rules.ts.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { PeopleProblem } from '../errors.ts';
import { DerivingThread, type PasswordCost } from './deriving.ts';
import { foldPassword } from './password-rules.ts';

/** OWASP Password Storage Cheat Sheet: m=19456 KiB, t=2, p=1; some 9 ms of one core. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2, lanes: 1 };

const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** The version of argon2 (1.3); there is no other in use. */
const VERSION = 19;
const PHC_FORM =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Hashes that are computed at the same time, each in its own thread; fewer where that leaves no processor free. */
const RUNNING_MAX = 2;
/** Maximum number of calls that wait, half a second of work or one. More callers get the answer to retry. */
const WAITING_MAX = 100;
const RETRY_AFTER_SECONDS = 2;

export interface PasswordVerdict {
  readonly isRight: boolean;
  /** The hash has another cost: make a new one while the password is known. */
  readonly isOutdated: boolean;
}

export interface PasswordsOptions {
  readonly cost?: PasswordCost;
  /** Of the machine. */
  readonly processors?: number;
}

interface PhcParts {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

/** One for each process, so that log-ins cannot take the machine from everything else. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #idle: DerivingThread[];
  readonly #waiting: ((thread: DerivingThread) => void)[] = [];

  constructor({
    cost = PASSWORD_COST,
    processors = availableParallelism(),
  }: PasswordsOptions = {}) {
    this.#cost = cost;
    const running = Math.max(Math.min(RUNNING_MAX, processors - 1), 1);
    this.#idle = Array.from({ length: running }, () => new DerivingThread());
  }

  /** @throws PeopleProblem `unavailable` when too many are being made or checked already */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#derive(password, { cost: this.#cost, salt, tagBytes: TAG_BYTES });
    return phcText({ cost: this.#cost, salt, tag });
  }

  /**
   * Compares a password with what is stored of it; takes as long when nothing is stored.
   * @throws PeopleProblem `unavailable` when too many are being made or checked already
   */
  async verify(password: string, stored: string | null | undefined): Promise<PasswordVerdict> {
    const parts = stored === undefined || stored === null ? undefined : parseParts(stored);
    const cost = parts?.cost ?? this.#cost;
    const tag = await this.#derive(password, {
      cost,
      salt: parts?.salt ?? randomBytes(SALT_BYTES),
      tagBytes: parts?.tag.length ?? TAG_BYTES,
    });
    const isRight = parts !== undefined && timingSafeEqual(tag, parts.tag);
    return { isRight, isOutdated: isRight && !costsEqual(cost, this.#cost) };
  }

  async #derive(
    password: string,
    by: { readonly cost: PasswordCost; readonly salt: Buffer; readonly tagBytes: number },
  ): Promise<Buffer> {
    const thread = await this.#take();
    try {
      const { cost, salt, tagBytes: keyBytes } = by;
      return await thread.derive({ password: foldPassword(password), cost, salt, keyBytes });
    } finally {
      this.#giveBack(thread);
    }
  }

  async #take(): Promise<DerivingThread> {
    const thread = this.#idle.pop();
    if (thread !== undefined) return thread;
    if (this.#waiting.length >= WAITING_MAX) {
      throw new PeopleProblem(
        'unavailable',
        'Too many passwords are being checked: try again soon',
        { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
      );
    }
    return await new Promise<DerivingThread>((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(thread: DerivingThread): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }
}

function phcText({ cost, salt, tag }: PhcParts): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`;
  return `$argon2id$v=${VERSION}$${parameters}$${unpadded(salt)}$${unpadded(tag)}`;
}

function parseParts(phc: string): PhcParts {
  const [whole, memory, passes, lanes, salt = '', tag = ''] = PHC_FORM.exec(phc) ?? [];
  if (whole === undefined)
    throw new Error('a stored password hash is not in the PHC string format');
  return {
    cost: { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function costsEqual(a: PasswordCost, b: PasswordCost): boolean {
  return a.memoryKib === b.memoryKib && a.passes === b.passes && a.lanes === b.lanes;
}
