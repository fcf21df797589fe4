// All mutants, in the order in which they are tried.

import { BRAND_MUTANTS } from './list/brands.js';
import { CHAIN_MUTANTS } from './list/chain.js';
import { CONSOLE_ROOM_MUTANTS } from './list/console-rooms.js';
import { CONSOLE_MUTANTS } from './list/console.js';
import { ENGINE_MUTANTS } from './list/engines.js';
import { IMPORT_MUTANTS } from './list/imports.js';
import { INBOX_APP_MUTANTS } from './list/inbox-app.js';
import { LEDGER_MUTANTS } from './list/ledger.js';
import { LOG_MUTANTS } from './list/log.js';
import { LOT_MUTANTS } from './list/lots.js';
import { MAIL_MUTANTS } from './list/mail.js';
import { DUTY_MUTANTS } from './list/duties.js';
import { NOTIFICATION_MUTANTS } from './list/notifications.js';
import { PEOPLE_MUTANTS } from './list/people.js';
import { ROLE_MUTANTS } from './list/roles.js';
import { SIGN_ON_MUTANTS } from './list/sign-on.js';
import { PROOF_MUTANTS } from './list/proofs.js';
import { RECALL_MUTANTS } from './list/recall.js';
import { SECOND_OPINION_MUTANTS } from './list/second-opinion.js';
import { SERVICE_MUTANTS } from './list/service.js';
import { WATCHING_MUTANTS } from './list/watching.js';
import { WITNESS_MUTANTS } from './list/witness.js';
import { WITNESSING_MUTANTS } from './list/witnessing.js';

/** @type {readonly import('./mutant.js').Mutant[]} */
export const MUTANTS = [
  ...CHAIN_MUTANTS,
  ...PROOF_MUTANTS,
  ...LEDGER_MUTANTS,
  ...LOG_MUTANTS,
  ...WATCHING_MUTANTS,
  ...WITNESS_MUTANTS,
  ...WITNESSING_MUTANTS,
  ...SECOND_OPINION_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...CONSOLE_ROOM_MUTANTS,
  ...LOT_MUTANTS,
  ...RECALL_MUTANTS,
  ...IMPORT_MUTANTS,
  ...INBOX_APP_MUTANTS,
  ...SERVICE_MUTANTS,
  ...ENGINE_MUTANTS,
  ...DUTY_MUTANTS,
  ...NOTIFICATION_MUTANTS,
  ...MAIL_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...ROLE_MUTANTS,
  ...SIGN_ON_MUTANTS,
  ...BRAND_MUTANTS,
];
