-- Changes that the database itself refuses: changing or deleting rows of the books, of issued
-- documents and of operators' actions, posting or sealing a transaction whose entries do not sum to
-- zero, adding to a posted one, taking the note of a transaction that has no seal, turning back the
-- ends of wallets and series, and changing security events or deleting recent ones.
-- Each start runs this again, so that a trigger that is missing comes back.

create trigger if not exists ledger_transactions_no_update before update on ledger_transactions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_transactions_no_delete before delete on ledger_transactions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_entries_no_update before update on ledger_entries
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_entries_no_delete before delete on ledger_entries
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_seals_no_update before update on ledger_seals
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_seals_no_delete before delete on ledger_seals
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists invoices_no_update before update on invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists invoices_no_delete before delete on invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists e_invoices_no_update before update on e_invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists e_invoices_no_delete before delete on e_invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists operator_actions_no_update before update on operator_actions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists operator_actions_no_delete before delete on operator_actions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists security_events_no_update before update on security_events
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists security_events_only_old before delete on security_events
  when old.created_ms >= (select value from counters where counter = 'security_events_from')
  begin select raise(abort, 'this security event is not old'); end;

create trigger if not exists ledger_seals_only_balanced before insert on ledger_seals
  when (select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
    where transaction_id = new.transaction_id)
  begin select raise(abort, 'the entries of a transaction must sum to zero'); end;

create trigger if not exists ledger_unsealed_only_balanced before insert on ledger_unsealed
  when (select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
    where transaction_id = new.transaction_id)
  begin select raise(abort, 'the entries of a transaction must sum to zero'); end;

create trigger if not exists ledger_entries_only_unposted before insert on ledger_entries
  when exists (select 1 from ledger_unsealed where transaction_id = new.transaction_id)
    or exists (select 1 from ledger_seals where transaction_id = new.transaction_id)
  begin select raise(abort, 'this transaction is posted'); end;

create trigger if not exists ledger_unsealed_no_update before update on ledger_unsealed
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_unsealed_only_sealed before delete on ledger_unsealed
  when not exists (select 1 from ledger_seals where transaction_id = old.transaction_id)
  begin select raise(abort, 'this transaction has no seal'); end;

create trigger if not exists ledger_heads_no_delete before delete on ledger_heads
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists ledger_heads_only_onwards before update on ledger_heads
  when new.wallet <> old.wallet or new.seq <= old.seq
  begin select raise(abort, 'the end of a wallet only moves on'); end;

create trigger if not exists document_series_no_delete before delete on document_series
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists document_series_only_onwards before update on document_series
  when (new.kind, new.financial_year, new.code) <> (old.kind, old.financial_year, old.code)
    or new.last <= old.last or new.issued_ms < old.issued_ms
  begin select raise(abort, 'a series of documents only moves on'); end;

create trigger if not exists document_gaps_no_update before update on document_gaps
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger if not exists document_gaps_no_delete before delete on document_gaps
  begin select raise(abort, 'the ledger is append-only'); end;
