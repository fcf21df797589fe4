-- Names and notices in several languages: the language of the one text that there always is, and the others
-- beside it as canonical JSON. Null: the brand has told none, and the block says nothing of it either.
alter table brands add column language text collate "C";
alter table brands add column names text collate "C";
alter table places add column language text collate "C";
alter table places add column names text collate "C";
alter table recall_cases add column wording text collate "C";
