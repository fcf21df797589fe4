-- Cases that were opened in confidence: nothing of them is public before `notified_at`.
alter table recall_cases add column confidential integer not null default 0;
