// Writes one sentence about a block from its contents: who did what with which lots. The public
// interface has an English one of its own (`summary`).
import { html, type Html } from '@lothub/kit/html';
import type { DecisionPayload, EventPayload } from '../../ledger/record/payload.ts';
import { isConfidential, isDisclosure } from '../../ledger/record/decisions/confidential.ts';
import { EDITED_TEXTS } from '../../ledger/record/decisions/contents.ts';
import type {
  BrandDecision,
  HoldDecision,
  RecallDecision,
  ResponseDecision,
  SealedRecall,
} from '../../ledger/record/decisions/contents.ts';
import { pickTranslations } from '../../ledger/record/decisions/wording.ts';
import { chooseText } from '../../lots/profiles/language.ts';
import type { WholeStep } from '../../ledger/record/decisions/recall.ts';
import type { WholeSteps } from '../../lots/decided/whole-steps.ts';
import { blockLink, chosenText, code } from '../fragments.ts';
import { caseStatusWords, fieldWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';
import { lookUpWord, typeWords, type SaidBlock } from './pieces.ts';

/** Lot codes (of each direction) or fields that a sentence names; the rest is counted. */
const NAMES_MAX = 3;
const US_PER_SECOND = 1_000_000;

export function renderSentence(block: SaidBlock, steps: WholeSteps, reader: Reader): Html {
  const { height, payload } = block;
  const { sentences } = reader.words.explorer;
  switch (payload.type) {
    case 'genesis':
      return html`${height === 0 ? sentences.genesis(payload.hub) : sentences.unreadable}`;
    case 'event':
      return eventSentence(payload, reader);
    case 'correction': {
      const { changes, corrects_block_height: corrected } = payload.correction;
      const fields = shortList(
        changes.map(({ field }) => fieldWords(field, reader)),
        reader,
      );
      return sentences.correction(blockLink(corrected, reader), fields);
    }
    case 'audit':
      return html`${sentences.audit(reader.formats.number(payload.audit.sequence))}`;
    default:
      return decisionSentence(payload, steps.get(height), reader);
  }
}

function eventSentence({ event }: EventPayload, reader: Reader): Html {
  const { sentences } = reader.words.explorer;
  const listLots = (direction: string): Html | null => {
    const lines = event.lines.filter((line) => line.direction === direction);
    const codes = [...new Set(lines.map((line) => line.lot_code))];
    if (codes.length === 0) return null;
    const shown = codes.slice(0, NAMES_MAX);
    const more = codes.length - shown.length;
    return html`${shown.map((one, index) => html`${index === 0 ? null : ', '}${code(one)}`)}${
      more > 0 ? ` ${sentences.more(reader.formats.number(more))}` : null
    }`;
  };
  const [into, out] = [listLots('in'), listLots('out')];
  const said = sentences.event(
    typeWords(event.event_type, reader),
    html`<bdi>${event.location}</bdi>`,
    html`<bdi>${event.reference}</bdi>`,
  );
  const lots = html`${into}${into === null || out === null ? null : ' → '}${out}`;
  return reader.words.explorer.pair(said, lots);
}

function decisionSentence(
  payload: DecisionPayload,
  step: WholeStep | undefined,
  reader: Reader,
): Html {
  const { words, formats } = reader;
  const { sentences } = words.explorer;
  switch (payload.type) {
    case 'hold':
      return holdSentence(payload.decision, reader);
    case 'brand':
      return brandSentence(payload.decision, reader);
    case 'drill': {
      const seconds = payload.decision.elapsed_us / US_PER_SECOND;
      return sentences.drill(code(payload.decision.lot), formats.quantity(seconds, 's'));
    }
    case 'erasure': {
      const { heights } = payload.decision;
      const [first] = heights;
      if (heights.length === 1 && first !== undefined) {
        return sentences.erased(blockLink(first, reader));
      }
      return sentences.erased(sentences.blocks(formats.number(heights.length)));
    }
    case 'response':
      return responseSentence(payload.decision, reader);
    case 'recall':
      return recallSentence(payload.decision, {
        brand: html`<bdi>${step?.brandName ?? payload.brand}</bdi>`,
        step,
        reader,
      });
  }
}

function holdSentence({ lots, state, case_no: caseNo }: HoldDecision, reader: Reader): Html {
  const { sentences } = reader.words.explorer;
  const [first] = lots;
  const count = lots.length;
  const named =
    count === 1 && first !== undefined
      ? sentences.lot(code(first))
      : html`${sentences.lots(reader.formats.number(count))}`;
  if (state === 'held') return sentences.held(named, count);
  return caseNo === undefined
    ? sentences.released(named, count)
    : sentences.releasedFrom(named, code(caseNo), count);
}

function brandSentence(decision: BrandDecision, reader: Reader): Html {
  const { members, sentences } = reader.words.explorer;
  const change = (): string => {
    if (decision.removed === true) return sentences.removed;
    const names = decision.changed.map((name) => lookUpWord(members, name));
    return names.length === 0 ? sentences.unchanged : sentences.changed(shortList(names, reader));
  };
  switch (decision.about) {
    case 'brand':
      return html`${sentences.brandProfile(change())}`;
    case 'product':
      return sentences.productProfile(code(decision.sku), change());
    case 'place':
      return sentences.placeProfile(code(decision.location), change());
  }
}

function responseSentence(
  { case_no: caseNo, counts, status }: ResponseDecision,
  { words, formats }: Reader,
): Html {
  const { sent, acknowledged, resolved } = counts;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return words.explorer.sentences.response({
    caseNo: code(caseNo),
    status: words.explorer.statuses[status],
    sent: formats.number(sent + acknowledged + resolved),
    all: formats.number(all),
    answered: formats.number(acknowledged + resolved),
  });
}

interface RecallShown {
  readonly brand: Html;
  readonly step: WholeStep | undefined;
  readonly reader: Reader;
}

function recallSentence(content: SealedRecall, shown: RecallShown): Html {
  const { brand, reader } = shown;
  const { recall } = reader.words.explorer.sentences;
  if (isConfidential(content)) return recall.confidential(code(content.case_no), brand);
  if (!isDisclosure(content)) return stepSentence(content, shown);
  return recall.disclosed(blockLink(content.of, reader), stepSentence(content.contents, shown));
}

/** A part of a step says which one it is; lots are those of the whole step, where all parts can be read. */
function stepSentence(content: RecallDecision, { brand, step, reader }: RecallShown): Html {
  const { words, formats } = reader;
  const { sentences, severities } = words.explorer;
  const { recall } = sentences;
  const { part, parts } = content;
  const lots = step?.lots ?? {
    entered: content.entered?.length ?? 0,
    left: content.left?.length ?? 0,
  };
  const said: readonly (Html | string)[] = [
    ...listEdits(content, reader),
    ...(lots.entered === 0 ? [] : [recall.entered(lots.entered, lotCount(lots.entered, reader))]),
    ...(lots.left === 0 ? [] : [recall.left(lots.left, lotCount(lots.left, reader))]),
    ...(parts === 1 ? [] : [recall.part(formats.number(part), formats.number(parts))]),
  ];
  const head = (): Html => {
    const caseNo = code(content.case_no);
    switch (content.change) {
      case 'opened': {
        const severity = severities[content.severity];
        const title = openedTitle(content, reader);
        return recall.opened({ caseNo, brand, title, severity });
      }
      case 'widened':
        return recall.widened(caseNo, brand);
      case 'edited':
        return recall.edited(caseNo, brand);
      case 'moved':
        return recall.moved(caseNo, brand, caseStatusWords(content.state, reader));
    }
  };
  return html`${head()}${said.map((one) => html`, ${one}`)}`;
}

/** Writes the title of the opening, in the language of the reader if there is one. */
function openedTitle({ title, wording = {} }: RecallDecision, reader: Reader): Html {
  const translations = pickTranslations(wording, 'title');
  const chosen = chooseText(
    { text: title, language: wording.language, translations },
    reader.languages,
  );
  return chosenText(chosen);
}

/** Lists the changes of an edit with their old and new values, and the numbers of lots by hand. */
function listEdits(content: RecallDecision, reader: Reader): readonly (Html | string)[] {
  const { members, pair, severities, sentences } = reader.words.explorer;
  const { recall } = sentences;
  const { was = {}, added = [], excluded = [], restored = [] } = content;
  const texts = EDITED_TEXTS.flatMap((field) => {
    const from = was[field];
    if (from === undefined) return [];
    const shown = (text: string) =>
      html`<bdi>${field === 'severity' ? lookUpWord(severities, text) : text}</bdi>`;
    return [pair(members[field], html`${shown(from)} → ${shown(content[field])}`)];
  });
  const byHand = [
    { codes: added, say: recall.added },
    { codes: excluded, say: recall.excluded },
    { codes: restored, say: recall.restored },
  ].flatMap(({ codes, say }) =>
    codes.length === 0 ? [] : [say(codes.length, lotCount(codes.length, reader))],
  );
  const wording = was.wording === undefined ? [] : [members.wording];
  return [...texts, ...wording, ...byHand];
}

function lotCount(count: number, { words, formats }: Reader): string {
  const { lots, oneLot } = words.explorer.sentences;
  return count === 1 ? oneLot : lots(formats.number(count));
}

function shortList(names: readonly string[], { words, formats }: Reader): string {
  const shown = names.slice(0, NAMES_MAX).join(', ');
  const more = names.length - NAMES_MAX;
  return more > 0 ? `${shown} ${words.explorer.sentences.more(formats.number(more))}` : shown;
}
