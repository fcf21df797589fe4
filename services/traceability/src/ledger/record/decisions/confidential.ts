// Steps of recall cases in confidence, and what discloses them, as their blocks say them.
import { isSha256Hex } from '@lothub/chain';
import { DISCLOSED } from './contents.ts';
import type {
  ConfidentialDecision,
  DisclosureDecision,
  RecallDecision,
  SealedRecall,
} from './contents.ts';
import { hasDecisionMembers, hasOnly, isCount, isFields, isText, type Fields } from './members.ts';
import { isRecallDecision, summaryOfRecall, type WholeStep } from './recall.ts';

/** The one private value that a confidential block commits to. */
export const CONFIDENTIAL_PARTS = 'parts';

const CONFIDENTIAL_MEMBERS = ['at', 'case_no', 'committed', 'confidential'];
const DISCLOSURE_MEMBERS = [
  ...['at', 'case_no', 'change', 'contents', 'of', 'part', 'parts', 'salt'],
];

/** A step of a case, a confidential one, or a part of one that is disclosed. */
export function isSealedRecall(content: Fields): boolean {
  if (content['confidential'] !== undefined) return isConfidentialContent(content);
  if (content['change'] === DISCLOSED) return isDisclosureContent(content);
  return isRecallDecision(content);
}

function isConfidentialContent(content: Fields): boolean {
  const { committed } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, CONFIDENTIAL_MEMBERS) &&
    isText(content['case_no']) &&
    content['confidential'] === true &&
    isFields(committed) &&
    Object.keys(committed).join() === CONFIDENTIAL_PARTS
  );
}

function isDisclosureContent(content: Fields): boolean {
  const { contents, of, part, parts, salt } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, DISCLOSURE_MEMBERS) &&
    isText(content['case_no']) &&
    isCount(of) &&
    isCount(part) &&
    isCount(parts) &&
    part >= 1 &&
    part <= parts &&
    isText(salt) &&
    isSha256Hex(salt) &&
    isFields(contents) &&
    isRecallDecision(contents) &&
    contents['case_no'] === content['case_no'] &&
    contents['part'] === part &&
    contents['parts'] === parts
  );
}

export function isConfidential(content: SealedRecall): content is ConfidentialDecision {
  return 'confidential' in content;
}

export function isDisclosure(content: SealedRecall): content is DisclosureDecision {
  return content.change === DISCLOSED;
}

/** Returns the step that a block makes public; undefined for a confidential block. */
export function findPublicStep(content: SealedRecall): RecallDecision | undefined {
  if (isConfidential(content)) return undefined;
  return isDisclosure(content) ? content.contents : content;
}

/** A step that is public as it is sealed. */
export function isPublicStep(content: SealedRecall): content is RecallDecision {
  return !isConfidential(content) && !isDisclosure(content);
}

/**
 * The parts that a confidential block committed to.
 * @param text of its private value
 * @returns undefined when it is no array of parts of one step
 */
export function findParts(text: string): readonly RecallDecision[] | undefined {
  const parts = parseArray(text);
  const isStep = parts?.every(
    (part, index) =>
      isFields(part) &&
      isRecallDecision(part) &&
      part['part'] === index + 1 &&
      part['parts'] === parts.length,
  );
  return isStep === true && parts?.length !== 0
    ? (parts as readonly unknown[] as readonly RecallDecision[])
    : undefined;
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    // A tampered value may be no JSON; it does not open its commitment, which is a finding of its own.
    return undefined;
  }
}

export function summaryOfSealedRecall(
  content: SealedRecall,
  id: string,
  whole?: WholeStep,
): string {
  const { case_no: caseNo } = content;
  if (isConfidential(content)) {
    return `Confidential step of recall ${caseNo} of ${whole?.brandName ?? id}`;
  }
  if (isDisclosure(content)) {
    const { of, contents } = content;
    return `Disclosed from block ${of}: ${summaryOfRecall(contents, id, whole)}`;
  }
  return summaryOfRecall(content, id, whole);
}
