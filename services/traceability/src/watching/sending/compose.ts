// The message to a person who watches: the notice as the public reads it at that moment, in the language of the
// watch, for a mail and for a device alike.
import { isLanguage, type Language } from '@lothub/languages';
import { present } from '@lothub/kit/present';
import type { DatabaseReader } from '@lothub/kit/database';
import { instantText, type Clock } from '@lothub/kit/clock';
import type { MailBlock } from '@lothub/delivery/mail/mail-text';
import type { Notice } from '../../lots/notices/schema.ts';
import type { ShownRecalls } from '../../lots/notices/shown.ts';
import { chooseText } from '../../lots/profiles/language.ts';
import { ENDED_STATUSES, type CaseStatus } from '../../terms.ts';
import { nameIn } from '../../web/fragments.ts';
import { caseStatusWords, severityWords } from '../../web/labels.ts';
import {
  adviceWords,
  findBrandsAdvice,
  pickReason,
  pickTitle,
  recallPath,
} from '../../web/notice.ts';
import { readerIn, type Reader } from '../../web/words/reader.ts';
import { LIST_LINK_MS } from '../limits.ts';
import type { ClaimedDelivery } from './delivery-queries.ts';
import { WATCH, type WatchLinks } from '../links.ts';
import { nameOfTarget } from '../target-name.ts';
import { nameTarget } from '../targets.ts';
import { findWatch } from '../watch-queries.ts';

/** Codes that a message names; its link leads to all. */
const LOTS_SAID_MAX = 10;

export interface WatchMessage {
  readonly language: Language;
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  readonly footer: readonly (string | { readonly label: string; readonly url: string })[];
  /** For a device: below the subject. */
  readonly short: string;
  /** Where it leads to. */
  readonly url: string;
  /** Ends the watch; undefined in messages that a person has just requested. */
  readonly endUrl: string | undefined;
  /** A newer message with the same one takes the place of this one on a device. */
  readonly tag: string;
  readonly isUrgent: boolean;
}

export interface ComposeDeps {
  readonly database: DatabaseReader;
  readonly shown: Pick<ShownRecalls, 'find'>;
  readonly links: WatchLinks;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

type Said = Pick<WatchMessage, 'subject' | 'blocks' | 'short' | 'url' | 'isUrgent'>;

/** Undefined: there is nothing to say any more. */
export async function composeMessage(
  deps: ComposeDeps,
  delivery: ClaimedDelivery,
): Promise<WatchMessage | undefined> {
  const { links, publicUrl, database } = deps;
  const target = await nameTarget({ database, publicUrl }, delivery);
  if (target === undefined) return undefined;
  const language = isLanguage(delivery.language) ? delivery.language : 'en';
  const reader = readerIn(language);
  const name = nameOfTarget(target, reader);
  const content = { delivery, name, targetUrl: publicUrl + target.path, reader };
  const said = await sayIt(deps, content);
  if (said === undefined) return undefined;
  const { mails } = reader.words.watching;
  const isOwn = delivery.says === 'confirm' || delivery.says === 'list';
  const { watchId } = delivery;
  const endUrl = isOwn ? undefined : publicUrl + links.buildPath({ purpose: 'end', watchId });
  return {
    language,
    ...said,
    endUrl,
    footer:
      endUrl === undefined
        ? []
        : [
            mails.why(name),
            { label: mails.stop, url: endUrl },
            { label: mails.all, url: publicUrl + WATCH },
          ],
    tag: delivery.caseNo ?? delivery.says,
  };
}

interface SayOptions {
  readonly delivery: ClaimedDelivery;
  readonly name: string;
  readonly targetUrl: string;
  readonly reader: Reader;
}

async function sayIt(deps: ComposeDeps, options: SayOptions): Promise<Said | undefined> {
  const { links, publicUrl, clock, database } = deps;
  const { delivery, name, targetUrl, reader } = options;
  const { watchId, status } = delivery;
  const { mails } = reader.words.watching;
  const linkTo = (link: Parameters<WatchLinks['buildPath']>[0]): string =>
    publicUrl + links.buildPath(link);
  switch (delivery.says) {
    case 'confirm': {
      const { subject, text, button } = mails.confirm;
      if (status !== 'pending') return undefined;
      return asked({
        subject: subject(name),
        text,
        button,
        url: linkTo({ purpose: 'confirm', watchId }),
      });
    }
    case 'list': {
      const untilMs = clock.nowMs() + LIST_LINK_MS;
      return asked({ ...mails.list, url: linkTo({ purpose: 'list', watchId, untilMs }) });
    }
    case 'renew': {
      const { subject, text, button } = mails.renew;
      const watch = await findWatch(database, watchId);
      if (watch === undefined || watch.renewalAskedAt === null) return undefined;
      const ends = reader.formats.date(instantText(watch.expiresAt));
      const url = linkTo({ purpose: 'renew', watchId });
      return asked({ subject: subject(name), text: text(ends), button, url });
    }
    case 'welcome': {
      const { subject, text } = mails.welcome;
      return asked({ subject: subject(name), text, button: text, url: targetUrl });
    }
    default:
      return await composeRecall(deps, options);
  }
}

function asked(mail: {
  readonly subject: string;
  readonly text: string;
  readonly button: string;
  readonly url: string;
}): Said {
  const { subject, text, button, url } = mail;
  return {
    subject,
    blocks: [
      { kind: 'text', text },
      { kind: 'link', label: button, url },
    ],
    short: text,
    url,
    isUrgent: false,
  };
}

async function composeRecall(
  { shown, publicUrl }: ComposeDeps,
  { delivery, name, targetUrl, reader }: SayOptions,
): Promise<Said | undefined> {
  const caseNo = present(delivery.caseNo, 'the case that a message is about');
  const recall = await shown.find({ caseNo, after: undefined, limit: 1 });
  // No public case any more, as after an older copy was put back.
  if (recall === undefined) return undefined;
  const { notice } = recall;
  const status = present(delivery.caseStatus, 'the state that a message is about');
  const { mails } = reader.words.watching;
  const subject = mails.recall[chooseSubject(delivery.says, status)](name);
  const hasLeft = delivery.says === 'left';
  const url = hasLeft ? targetUrl : publicUrl + recallPath(caseNo);
  const isOver = hasLeft || isEnded(notice.status);
  const advice = hasLeft ? mails.leftText : isOver ? '' : adviceWords(notice, reader);
  return {
    subject,
    blocks: [
      {
        kind: 'entry',
        title: chooseText(pickTitle(notice), reader.languages).text,
        note: `${severityWords(notice.severity, reader)} · ${caseStatusWords(notice.status, reader)}`,
        text: noticeLines(notice, { advice, isOver, reader }).join('\n\n'),
        url,
        tone: isOver ? 'plain' : 'critical',
      },
      { kind: 'link', label: mails.read, url },
    ],
    short: advice === '' ? chooseText(pickTitle(notice), reader.languages).text : advice,
    url,
    isUrgent: !isOver,
  };
}

function chooseSubject(
  says: ClaimedDelivery['says'],
  status: CaseStatus,
): keyof Reader['words']['watching']['mails']['recall'] {
  if (says === 'moved' && (status === 'closed' || status === 'cancelled')) return status;
  if (says === 'opened' || says === 'moved' || says === 'edited') return says;
  return says === 'left' ? says : 'widened';
}

function isEnded(status: CaseStatus): boolean {
  return ENDED_STATUSES.includes(status);
}

/** What to do first, then why, then of what. */
function noticeLines(
  notice: Notice,
  options: { readonly advice: string; readonly isOver: boolean; readonly reader: Reader },
): readonly string[] {
  const { advice, isOver, reader } = options;
  const { mails } = reader.words.watching;
  const brand = chooseText(nameIn(notice.brand), reader.languages).text;
  const codes = notice.lot_codes.slice(0, LOTS_SAID_MAX);
  const more = notice.lots_total - codes.length;
  const listed = [
    ...codes,
    ...(more > 0 ? [reader.words.recalls.more(reader.formats.number(more))] : []),
  ];
  const reason = chooseText(pickReason(notice), reader.languages).text;
  const brands = isOver ? '' : (findBrandsAdvice(notice, reader)?.text ?? '');
  return [
    advice,
    isOver ? '' : mails.giveBack(brand),
    brands,
    mails.reason(reason),
    codes.length === 0 ? '' : mails.lots(listed.join(', ')),
  ].filter((line) => line !== '');
}
