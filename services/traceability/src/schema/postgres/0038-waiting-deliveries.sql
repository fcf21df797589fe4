-- What waits is counted for whoever watches the hub; what was sent stays for thirty days and is many times as much.
create index webhook_deliveries_open on webhook_deliveries (created_at) where status = 'pending';
