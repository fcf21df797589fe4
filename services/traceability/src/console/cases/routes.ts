// Recall cases of a brand: the list, and the pages of one case.
import type { App } from '../../http.ts';
import { KeptReach } from '../../recall/outbox/kept-reach.ts';
import type { ConsoleDeps } from '../deps.ts';
import { caseOverviewRoutes } from './case-routes.ts';
import { editRoutes } from './edit-routes.ts';
import { listRoutes } from './list-routes.ts';
import { notificationPageRoutes } from './notifications/routes.ts';
import { notificationListRoutes } from './notifications/list-routes.ts';
import { scopeRoutes } from './scope-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';

export function casePageRoutes(app: App, deps: ConsoleDeps): void {
  const kept = new KeptReach(deps);
  listRoutes(app, deps);
  caseOverviewRoutes(app, deps, kept);
  scopeRoutes(app, deps);
  editRoutes(app, deps);
  notificationListRoutes(app, deps, kept);
  notificationPageRoutes(app, deps, kept);
  timelineRoutes(app, deps);
}
