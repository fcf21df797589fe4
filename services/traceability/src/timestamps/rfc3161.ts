// Time-stamp requests and replies (RFC 3161): what is sent to a time-stamping service, and whether the
// reply is the time stamp that was requested. Its signature is not verified here: a reader who relies on a
// time stamp verifies it, with the certificates that they trust (docs/trust.md).
import {
  Boolean as Asn1Boolean,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as Asn1Set,
  Utf8String,
} from 'asn1js';
import type { AsnType } from 'asn1js';

/** Largest reply that is read, in bytes: ten times one with a long chain of certificates. */
export const REPLY_BYTES_MAX = 65_536;
/** Most parts of a reply, and how deep they are in each other. */
const PARTS_MAX = 10_000;
const DEPTH_MAX = 32;
/** Longest reason of a service that is repeated in the log. */
const REASON_LENGTH_MAX = 200;
/** Times of a service that differ more from the clock of the hub are refused. */
export const CLOCKS_APART_MS_MAX = 3_600_000;

/** RFC 5754, section 2.2. */
const SHA256 = '2.16.840.1.101.3.4.2.1';
/** RFC 5652, section 5.1. */
const SIGNED_DATA = '1.2.840.113549.1.7.2';
/** RFC 3161, section 2.4.2. */
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const REQUEST_VERSION = 1;
/** PKIStatus: granted, and grantedWithMods. */
const GRANTED = [0n, 1n];
/** `tagClass` of a member with a number of its own, such as `[0]`. */
const CONTEXT_CLASS = 3;

/** The request for a time stamp. */
export interface TimeStampQuestion {
  /** SHA-256 of what is stamped. */
  readonly digest: Uint8Array;
  /** Never used before, so that no old reply counts as the one to this request. */
  readonly nonce: bigint;
}

/** Why a reply is not kept. */
export const TIME_STAMP_FAULTS = [
  'malformed',
  'refused_by_service',
  'other_imprint',
  'other_nonce',
  'no_certificate',
  'clocks_apart',
] as const;
export type TimeStampFault = (typeof TIME_STAMP_FAULTS)[number];

export class TimeStampRefused extends Error {
  override readonly name = 'TimeStampRefused';
  readonly code: TimeStampFault;

  constructor(code: TimeStampFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A TimeStampReq in DER: version, imprint, nonce, and that the certificate shall come with the reply. */
export function encodeQuestion({ digest, nonce }: TimeStampQuestion): Uint8Array<ArrayBuffer> {
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: SHA256 }), new Null()] });
  const imprint = new Sequence({
    value: [algorithm, new OctetString({ valueHex: Uint8Array.from(digest).buffer })],
  });
  const request = new Sequence({
    value: [
      new Integer({ value: REQUEST_VERSION }),
      imprint,
      Integer.fromBigInt(nonce),
      new Asn1Boolean({ value: true }),
    ],
  });
  return new Uint8Array(request.toBER());
}

/**
 * The time that a reply states, in milliseconds since 1970.
 *
 * @param nowMs clock of the hub, which must not be far from the service's
 * @throws TimeStampRefused
 */
export function readReply(
  reply: Uint8Array,
  asked: TimeStampQuestion & { readonly nowMs: number },
): number {
  const [status, token] = listMembers(parsed(reply), 'the reply');
  assertGranted(status);
  const { info, hasCertificate } = readToken(token);
  const [, , imprint, , time, ...rest] = listMembers(info, 'its statement');
  assertImprint(imprint, asked.digest);
  const nonce = rest.find((member) => member instanceof Integer);
  if (nonce?.toBigInt() !== asked.nonce) {
    throw new TimeStampRefused('other_nonce', 'The time stamp answers another request.');
  }
  if (!hasCertificate) {
    throw new TimeStampRefused(
      'no_certificate',
      'The time stamp comes without the certificate of its service, so nobody could verify it later.',
    );
  }
  if (!(time instanceof GeneralizedTime)) throw malformed('has no time');
  const stampedMs = time.toDate().getTime();
  if (!(Math.abs(stampedMs - asked.nowMs) <= CLOCKS_APART_MS_MAX)) {
    throw new TimeStampRefused(
      'clocks_apart',
      `The time stamp is of another time than this clock shows, by more than ${CLOCKS_APART_MS_MAX / 60_000} minutes.`,
    );
  }
  return stampedMs;
}

function parsed(bytes: Uint8Array): AsnType {
  if (bytes.length > REPLY_BYTES_MAX) throw malformed(`is longer than ${REPLY_BYTES_MAX} bytes`);
  const { offset, result } = fromBER(Uint8Array.from(bytes), {
    maxDepth: DEPTH_MAX,
    maxNodes: PARTS_MAX,
    maxContentLength: REPLY_BYTES_MAX,
    parseEmbedded: false,
  });
  if (offset !== bytes.length) throw malformed('is not ASN.1');
  return result;
}

/** PKIStatusInfo: the status, and perhaps the reason in words. */
function assertGranted(info: AsnType | undefined): void {
  const [status, words] = listMembers(info, 'its status');
  if (!(status instanceof Integer)) throw malformed('has no status');
  const value = status.toBigInt();
  if (GRANTED.includes(value)) return;
  const reason = words instanceof Sequence ? readReason(words) : '';
  throw new TimeStampRefused(
    'refused_by_service',
    `The service refused the request with status ${value}${reason}.`,
  );
}

function readReason(words: Sequence): string {
  const text = words.valueBlock.value
    .map((one) => (one instanceof Utf8String ? one.getValue() : ''))
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, REASON_LENGTH_MAX)
    .trim();
  return text === '' ? '' : `: ${text}`;
}

/** ContentInfo with SignedData, whose content is the TSTInfo. */
function readToken(token: AsnType | undefined): {
  readonly info: AsnType;
  readonly hasCertificate: boolean;
} {
  const [type, content] = listMembers(token, 'its token');
  if (!isObjectIdentifier(type, SIGNED_DATA)) throw malformed('has a token that is not signed');
  const [signedData] = listMembers(content, 'its token');
  const [, , encapsulated, ...rest] = listMembers(signedData, 'its signed content');
  const [contentType, wrapped] = listMembers(encapsulated, 'its signed content');
  if (!isObjectIdentifier(contentType, TST_INFO)) throw malformed('signs no time stamp');
  const [octets] = listMembers(wrapped, 'its signed content');
  if (!(octets instanceof OctetString)) throw malformed('signs no time stamp');
  const signers = rest.at(-1);
  if (!(signers instanceof Asn1Set) || signers.valueBlock.value.length === 0) {
    throw malformed('has no signature');
  }
  const certificates = rest.find(
    ({ idBlock }) => idBlock.tagClass === CONTEXT_CLASS && idBlock.tagNumber === 0,
  );
  return {
    info: parsed(new Uint8Array(octets.getValue())),
    hasCertificate: certificates instanceof Constructed && certificates.valueBlock.value.length > 0,
  };
}

function assertImprint(imprint: AsnType | undefined, digest: Uint8Array): void {
  const [algorithm, hashed] = listMembers(imprint, 'its imprint');
  const [name] = listMembers(algorithm, 'its imprint');
  const isSame =
    isObjectIdentifier(name, SHA256) &&
    hashed instanceof OctetString &&
    Buffer.from(hashed.getValue()).equals(digest);
  if (isSame) return;
  throw new TimeStampRefused('other_imprint', 'The time stamp is of something else than was sent.');
}

function listMembers(block: AsnType | undefined, what: string): readonly AsnType[] {
  if (!(block instanceof Constructed)) throw malformed(`lacks ${what}`);
  return block.valueBlock.value;
}

function isObjectIdentifier(block: AsnType | undefined, value: string): boolean {
  return block instanceof ObjectIdentifier && block.getValue() === value;
}

function malformed(what: string): TimeStampRefused {
  return new TimeStampRefused('malformed', `The reply of the time-stamping service ${what}.`);
}
