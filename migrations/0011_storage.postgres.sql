-- Storage of tables whose rows change all the time.

-- A queue: nearly always empty, with a dead row for each transaction that was sealed since it was
-- last vacuumed.
alter table ledger_unsealed set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Each task is claimed, moved on and deleted within seconds, beside many that wait for weeks.
alter table tasks set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0, fillfactor = 80);

-- Room in each page for the next version of a row, so that no index changes.
alter table ledger_accounts set (fillfactor = 70);
alter table ledger_heads set (fillfactor = 70);
alter table booking_counts set (fillfactor = 70);
alter table statement_counts set (fillfactor = 70);
alter table counters set (fillfactor = 50);
alter table document_series set (fillfactor = 50);
alter table nodes set (fillfactor = 50);
