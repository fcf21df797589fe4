// A notification as a message of Slack's incoming webhooks, which Mattermost, Rocket.Chat and others take, too
// (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
import { toSender } from '../../inbox/notification.ts';
import type { Severity } from '../../store/post.ts';
import { cutTo, type SentNotification } from './format.ts';

/** Maximum lengths in a block of text (https://docs.slack.dev/reference/block-kit/blocks). */
const TITLE_MAX = 150;
const SECTION_MAX = 3_000;

const SIGNS: Readonly<Record<Severity, string>> = {
  critical: ':red_circle: Critical',
  warning: ':large_orange_circle: Warning',
  info: ':large_blue_circle: Info',
};

/** @param link to the notification in the inbox */
export function slackBody(notification: SentNotification, link: string): string {
  const { title, body, severity, url } = notification;
  const sign = SIGNS[severity];
  const links = [
    linkTo(link, 'Open in the inbox'),
    ...(url === null ? [] : [linkTo(url, 'Where it comes from')]),
  ];
  return JSON.stringify({
    // What telephones show, and readers that know no blocks.
    text: `${sign}: ${escapeText(title)}`,
    blocks: [
      { type: 'header', text: plainText(title, TITLE_MAX) },
      ...(body === null || body === ''
        ? []
        : [{ type: 'section', text: plainText(body, SECTION_MAX) }]),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: [sign, `from ${markText(toSender(notification).name)}`, ...links].join('  ·  '),
          },
        ],
      },
    ],
  });
}

function plainText(text: string, max: number) {
  const cut = cutTo(text, max, (one) => escapeText(one).length);
  return { type: 'plain_text', text: escapeText(cut), emoji: false };
}

/** The three characters that Slack reads as markup in any text. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text between markup, with its markup characters escaped; `@channel` and `@everyone` notify no one. */
function markText(text: string): string {
  return escapeText(text).replace(/[*_~`]/g, (sign) => `\u200b${sign}\u200b`);
}

function linkTo(url: string, words: string): string {
  const { href } = new URL(url);
  return `<${escapeText(href.replaceAll('|', '%7C'))}|${words}>`;
}
