// The console, in English.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { audit } from './console/audit.ts';
import { cases } from './console/cases.ts';
import { drills } from './console/drills.ts';
import { errors } from './console/errors.ts';
import { events } from './console/events.ts';
import { genealogy } from './console/genealogy.ts';
import { help } from './console/help.ts';
import { imports } from './console/imports.ts';
import { inbound } from './console/inbound.ts';
import { lot } from './console/lot.ts';
import { lots } from './console/lots.ts';
import { opening } from './console/opening.ts';
import { operator } from './console/operator.ts';
import { profile } from './console/profile.ts';
import { record } from './console/record.ts';
import { simulation } from './console/simulation.ts';
import { today } from './console/today.ts';
import { webhooks } from './console/webhooks.ts';

export const console = {
  // A file for each room.
  audit,
  cases,
  drills,
  errors,
  events,
  genealogy,
  help,
  imports,
  inbound,
  lot,
  lots,
  opening,
  operator,
  profile,
  record,
  simulation,
  today,
  webhooks,
  frame: {
    title: 'Console',
    menu: 'Menu',
    pages: 'Pages of the console',
    account: 'Account',
    logOut: 'Log out',
    people: 'People',
    keys: 'Keys',
    hub: 'Hub',
    brands: 'Brands',
    operators: 'Operators',
    otherBrand: 'Choose another brand',
  },
  roles: { viewer: 'Viewer', quality: 'Quality', manager: 'Manager', operator: 'Operator' },
  roleHints: {
    viewer: 'reads everything of the brand',
    quality: 'also holds lots, simulates, recalls, corrects and imports',
    manager: 'also manages people, keys and what consumers read of the brand',
  },
  rights: {
    read: 'read lots, events, recall cases and reports',
    hold: 'put lots on hold and release them',
    simulate: 'simulate recalls and run drills',
    recall: 'open, edit and close recall cases',
    correct: 'correct events',
    import: 'import events from files',
    people: 'invite people and change their roles',
    keys: 'make and revoke keys',
    brand: 'edit what consumers read of the brand',
    products: 'edit products',
    places: 'edit places',
    suppliers: 'link suppliers',
    webhooks: 'set up webhooks',
    erase: 'erase private values',
    disclose: 'open private values for an authority',
  },
  form: {
    lookAtFields: 'Please look at the marked fields.',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Select it and copy',
    actions: 'Actions',
    more: 'Show more',
  },
  /** Of lists whose filters are in the address. */
  filters: {
    apply: 'Show',
    clear: 'Clear filters',
    all: 'All',
    pages: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    rangeOfMore: (from: string, to: string, total: string) => `${from}–${to} of more than ${total}`,
    moreThan: (total: string) => `more than ${total}`,
    first: 'To the first page',
    tooFar: 'The list goes on. Narrow it to see the rest.',
  },
  fields: {
    required: 'Please fill this in.',
    blank: 'Please write something that can be seen.',
    notOneOf: 'Please pick one of the choices.',
    tooShort: (characters: string) => `Please use at least ${characters} characters.`,
    tooLong: (characters: string) => `Please use at most ${characters} characters.`,
    refused: 'It holds characters that cannot be used here.',
    guessable: 'This is guessed early. Please take a few words that nobody expects.',
    malformed: 'This is not in the right form.',
  },
  refusals: {
    loginFailed: 'E-mail or password is wrong.',
    rateLimited: 'Too many tries. Wait a minute, then try again.',
    unavailable: 'Nothing was stored: the service cannot write now. Try again in a minute.',
    conflict: 'This was changed at the same moment. Look at it again, then repeat what you wanted.',
    limitReached: 'There are as many as there may be. Remove one first.',
    linkUsedUp: 'This link was used, has expired or was withdrawn. Ask for a new one.',
  },
  done: {
    'brand-left': 'You have left the brand.',
    'invitation-revoked': 'The invitation is withdrawn; its link no longer works.',
    'key-revoked': 'The key is revoked; requests with it are refused from now on.',
    'logged-out': 'You are logged out.',
    'name-saved': 'Your name is saved.',
    'operator-removed': 'The person no longer operates the hub.',
    'password-saved': 'Your password is changed. All your other sessions have ended.',
    'person-removed': 'The person is removed from the brand.',
    'role-saved': 'The role is changed.',
    'session-ended': 'The session has ended.',
    'sessions-ended': 'All your other sessions have ended.',
    erased: 'Your account is erased.',
  },
  again: {
    title: 'Log in again',
    ended: 'Your session has ended. Nothing was done yet, and nothing that you typed is lost.',
    passwordsNot: 'Passwords are not kept: type them again.',
    logIn: 'Log in and show my form again',
    elsewhere: 'I have logged in in another window',
    shown: 'You are logged in again. Look at the form, then send it once more.',
  },
  choice: {
    title: 'Choose a brand',
    none: 'You are in no brand yet',
    noneAdvice: 'Ask a manager of your brand to invite you. The invitation comes as a link.',
    hub: 'Operate the hub',
    operates: 'Brands and operators of the whole hub',
  },
  people: {
    title: 'People',
    lead: 'Who works for this brand, and what each may do.',
    name: 'Name',
    email: 'E-mail',
    role: 'Role',
    since: 'Since',
    you: 'You',
    change: 'Change',
    changeRole: 'Change the role',
    remove: 'Remove',
    removeAdvice: (name: Html) =>
      html`${name} loses access to this brand at once. What ${name} did keeps the name.`,
    removeNow: 'Remove now',
    inviteTitle: 'Invite somebody',
    inviteLead: 'You get a link. Send it to the person: it works once, for seven days.',
    emailHint: 'Only this person can use the link then.',
    emailOptional: 'E-mail (optional)',
    invite: 'Make the invitation',
    made: 'The invitation is made. The link is shown this once: copy it now.',
    link: 'Link of the invitation',
    openTitle: 'Open invitations',
    none: 'There is no open invitation.',
    anybody: 'Anybody with the link',
    by: 'By',
    ends: 'Ends',
    withdraw: 'Withdraw',
    withdrawAbout: (whom: string) => `the invitation of ${whom}`,
    last: 'A brand keeps at least one manager. Make somebody else a manager first.',
    full: 'There are as many open invitations as there may be. Withdraw one first.',
    bySignOn: 'by single sign-on',
  },
  invitations: {
    conflict:
      'You are in already, or the invitation is for another e-mail, or your e-mail has an account: then log in first.',
    full: 'There is no room: ask whoever invites you.',
  },
  me: {
    title: 'My account',
    lastOne:
      'You are the last manager of a brand, the last operator or the last owner of a group. Hand this over first.',
    brands: 'Brands you work for',
    leave: 'Leave',
    leaveAdvice: (name: Html) =>
      html`You lose access to ${name} at once. What you did there keeps your name. Coming back takes
      a new invitation.`,
    leaveNow: 'Leave now',
    lastManager: 'You are the last manager of this brand. Make somebody else a manager first.',
    notIn: 'You are not in this brand any more.',
  },
  keys: {
    title: 'Keys',
    lead: 'With a key a program writes and reads as this brand.',
    label: 'Label',
    labelHint:
      'What uses the key, such as the ERP. The audit shows it with each action of the key.',
    limit: 'May',
    limits: {
      read: 'read only',
      'post-events': 'post events only',
      all: 'do everything',
    },
    made: 'Made',
    lastUse: 'Last use',
    never: 'Never',
    state: 'State',
    active: 'Active',
    endsAt: (at: Html) => html`Ends at ${at}`,
    revoked: 'Revoked',
    none: 'This brand has no key of its own yet.',
    ended: 'Keys that ended',
    makeTitle: 'Make a key',
    make: 'Make the key',
    issued: 'The key is made. It is shown this once: copy it now.',
    rotated:
      'The new key is made. It is shown this once: copy it now. The old key works for a day.',
    key: 'Key',
    tryIt: 'Try it from a terminal',
    rotate: 'Replace',
    rotateAdvice: 'You get a new key with the same label and limit. The old one works for a day.',
    rotateNow: 'Make the new key',
    revoke: 'Revoke',
    revokeAdvice: (label: Html) => html`Whatever uses the key ${label} is refused at once.`,
    revokeNow: 'Revoke now',
    full: 'There are as many keys as a brand may have. Revoke one first.',
  },
  brands: {
    title: 'Brands',
    lead: 'All brands of this hub. What a brand keeps to itself is not shown here.',
    brand: 'Brand',
    id: 'Id',
    managers: 'Managers',
    people: 'People',
    none: 'There is no brand yet: invite the first manager of one.',
    noManager: 'Without a manager',
    hasManager: 'This brand has a manager, who invites its people.',
    openTitle: 'Open invitations of first managers',
    withdrawAdvice: 'The link does not work any more then.',
    withdrawNow: 'Withdraw now',
    inviteTitle: 'Invite the first manager of a brand',
    inviteLead: 'The brand need not have any events yet. You get a link: send it to the person.',
    idHint: 'As the header X-Tenant-Id has it: letters, digits, dot, underscore, hyphen.',
  },
  operators: {
    title: 'Operators',
    lead: 'Who sees the brands of the hub, its keys, its verifier, its log and its witnesses.',
    removeAdvice: (name: Html) =>
      html`${name} no longer operates the hub. Roles in brands stay as they are.`,
    last: 'The hub keeps at least one operator. Invite another one first.',
  },
};
