-- Storage of tables whose rows change with every posting.

-- A queue: nearly always empty, with a dead row for each transaction that was sealed since it was
-- last vacuumed.
alter table ledger_unsealed set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Room in each page for the next version of a row, so that no index changes.
alter table ledger_heads set (fillfactor = 70);
alter table ledger_accounts set (fillfactor = 70);
