// What consumers read of the brand: profile, products, places; suppliers.
import type { App } from '../../http.ts';
import type { ConsoleDeps } from '../deps.ts';
import { placeRoutes } from './places/place-routes.ts';
import { productRoutes } from './products/product-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { supplierRoutes } from './suppliers/supplier-routes.ts';

export function profilePageRoutes(app: App, deps: ConsoleDeps): void {
  profileRoutes(app, deps);
  productRoutes(app, deps);
  placeRoutes(app, deps);
  supplierRoutes(app, deps);
}
