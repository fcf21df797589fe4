// What a provider says of a person, as this service understands it. Values in, values out.
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN, foldEmail } from '../access/email.ts';
import { BRAND_ROLES, isHubRole, type BrandRole, type HubRole } from '../brands/rights.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import type { SignOnSettings } from './settings.ts';

/** As they were received: each value is looked at where it is used. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Identity {
  readonly subject: string;
  /** Undefined: the provider gave none, or did not verify it. */
  readonly verifiedEmail: string | undefined;
  /** As the others see it. */
  readonly name: string;
}

/** What claims give: a role in each of these brands, and perhaps one in the hub. */
export interface ClaimedRoles {
  /** Names as the claim has them, of brands that may be unknown. */
  readonly brands: readonly string[];
  /** Undefined: none in any brand. */
  readonly brandRole: BrandRole | undefined;
  readonly hubRole: HubRole | undefined;
}

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT_FORM = /^[\x20-\x7e]{1,255}$/;
/** Maximum number of values of one claim; longer lists are cut. */
const CLAIM_VALUES_MAX = 200;
/** Without a role in the claims: the role with the fewest rights. */
const ROLE_WITHOUT_CLAIM: BrandRole = BRAND_ROLES[0];
const EMAIL_FORM = new RegExp(EMAIL_PATTERN, 'u');
/** Control characters, and those that change how the text around them reads. */
const UNFIT_IN_NAME = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * Merges both answers; the signed ID token has precedence. `email_verified` is only used for the address in the
 * same answer.
 */
export function mergeClaims(answers: {
  readonly idToken: Claims;
  readonly userInfo: Claims | undefined;
}): Claims {
  const { idToken, userInfo = {} } = answers;
  const merged = { ...userInfo, ...idToken };
  const isFromBoth =
    idToken['email'] !== undefined &&
    idToken['email_verified'] === undefined &&
    userInfo['email'] !== idToken['email'];
  return isFromBoth ? { ...merged, email_verified: undefined } : merged;
}

/** @returns undefined when the subject has not the form that it must have */
export function readIdentity(claims: Claims): Identity | undefined {
  const { sub, email, email_verified: isVerified } = claims;
  if (typeof sub !== 'string' || !SUBJECT_FORM.test(sub)) return undefined;
  const isEmail =
    typeof email === 'string' && email.length <= EMAIL_LENGTH_MAX && EMAIL_FORM.test(email);
  const verifiedEmail = isEmail && isVerified === true ? foldEmail(email) : undefined;
  return { subject: sub, verifiedEmail, name: nameIn(claims) ?? verifiedEmail ?? sub };
}

export function readClaimedRoles(
  claims: Claims,
  settings: Pick<SignOnSettings, 'brandClaim' | 'roleClaim'>,
): ClaimedRoles {
  const brands = listValues(claims, settings.brandClaim);
  const words = listValues(claims, settings.roleClaim);
  const claimed = BRAND_ROLES.findLast((role) => words.some((word) => word === role));
  return {
    brands,
    brandRole: settings.roleClaim === undefined ? ROLE_WITHOUT_CLAIM : claimed,
    hubRole: words.find(isHubRole),
  };
}

/** A claim is a text or a list of texts; whatever else it is gives nothing. */
function listValues(claims: Claims, name: string | undefined): readonly string[] {
  if (name === undefined || !Object.hasOwn(claims, name)) return [];
  const value = claims[name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.slice(0, CLAIM_VALUES_MAX).filter((entry) => typeof entry === 'string');
  return [...new Set(texts)];
}

function nameIn({ name, preferred_username: username }: Claims): string | undefined {
  return [name, username].map(cleaned).find((text) => text !== '');
}

function cleaned(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.normalize('NFC').replace(UNFIT_IN_NAME, ' ').replace(/\s+/gu, ' ').trim();
  return [...text].slice(0, NAME_MAX).join('').trim();
}
