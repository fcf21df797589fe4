-- The list of a tenant's events by type and by time of occurrence.
create index events_by_tenant_type on events (tenant_no, event_type, height);
create index events_by_tenant_occurred on events (tenant_no, occurred_at, height);
