-- Whoever is erased is looked for in the changes of corrections, too. No customer is longer than that;
-- notes are.
create index private_changes_by_from on private_changes (from_text, height)
  where length(from_text) <= 200;
create index private_changes_by_to on private_changes (to_text, height)
  where length(to_text) <= 200;
