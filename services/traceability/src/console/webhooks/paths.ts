// Addresses of the webhooks of a brand.
import { BRAND_ROUTE } from '../brand/brand.ts';
import { brandPath } from '../paths.ts';

export const WEBHOOKS_ROUTE = `${BRAND_ROUTE}/webhooks`;
export const WEBHOOK_ROUTE = `${WEBHOOKS_ROUTE}/:webhook_id`;
export const DELIVERY_ROUTE = `${WEBHOOK_ROUTE}/deliveries/:delivery_id`;

export function webhookPath(brand: string, webhookId: string): string {
  return `${brandPath(brand, 'webhooks')}/${encodeURIComponent(webhookId)}`;
}

export function deliveryPath(brand: string, webhookId: string, deliveryId: string): string {
  return `${webhookPath(brand, webhookId)}/deliveries/${encodeURIComponent(deliveryId)}`;
}
