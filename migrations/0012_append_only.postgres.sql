-- Changes that the database itself refuses: changing or deleting rows of the books, of issued
-- documents and of operators' actions, posting or sealing a transaction whose entries do not sum to
-- zero, adding to a posted one, taking the note of a transaction that has no seal, turning back the
-- ends of wallets and series, and changing security events or deleting recent ones.
-- Each start runs a paragraph again whose function or trigger is missing, changed or disabled.

create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'the ledger is append-only';
  end $$;

create or replace trigger ledger_transactions_no_update before update on ledger_transactions
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_transactions_no_delete before delete on ledger_transactions
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_transactions_no_truncate before truncate on ledger_transactions
  for each statement execute function ledger_is_append_only();

create or replace trigger ledger_entries_no_update before update on ledger_entries
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_entries_no_delete before delete on ledger_entries
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_entries_no_truncate before truncate on ledger_entries
  for each statement execute function ledger_is_append_only();

create or replace trigger ledger_seals_no_update before update on ledger_seals
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_seals_no_delete before delete on ledger_seals
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_seals_no_truncate before truncate on ledger_seals
  for each statement execute function ledger_is_append_only();

create or replace trigger invoices_no_update before update on invoices
  for each row execute function ledger_is_append_only();

create or replace trigger invoices_no_delete before delete on invoices
  for each row execute function ledger_is_append_only();

create or replace trigger invoices_no_truncate before truncate on invoices
  for each statement execute function ledger_is_append_only();

create or replace trigger e_invoices_no_update before update on e_invoices
  for each row execute function ledger_is_append_only();

create or replace trigger e_invoices_no_delete before delete on e_invoices
  for each row execute function ledger_is_append_only();

create or replace trigger e_invoices_no_truncate before truncate on e_invoices
  for each statement execute function ledger_is_append_only();

create or replace trigger operator_actions_no_update before update on operator_actions
  for each row execute function ledger_is_append_only();

create or replace trigger operator_actions_no_delete before delete on operator_actions
  for each row execute function ledger_is_append_only();

create or replace trigger operator_actions_no_truncate before truncate on operator_actions
  for each statement execute function ledger_is_append_only();

create or replace trigger security_events_no_update before update on security_events
  for each row execute function ledger_is_append_only();

create or replace trigger security_events_no_truncate before truncate on security_events
  for each statement execute function ledger_is_append_only();

create or replace function security_events_only_old() returns trigger language plpgsql as $$
  begin
    if old.created_ms >= (select value from counters where counter = 'security_events_from') then
      raise exception 'this security event is not old';
    end if;
    return old;
  end $$;
create or replace trigger security_events_only_old before delete on security_events
  for each row execute function security_events_only_old();

create or replace function ledger_seals_only_balanced() returns trigger language plpgsql as $$
  begin
    if (select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
      where transaction_id = new.transaction_id) then
      raise exception 'the entries of a transaction must sum to zero';
    end if;
    return new;
  end $$;
create or replace trigger ledger_seals_only_balanced before insert on ledger_seals
  for each row execute function ledger_seals_only_balanced();

create or replace trigger ledger_unsealed_only_balanced before insert on ledger_unsealed
  for each row execute function ledger_seals_only_balanced();

create or replace function ledger_entries_only_unposted() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from ledger_unsealed where transaction_id = new.transaction_id)
      or exists (select 1 from ledger_seals where transaction_id = new.transaction_id) then
      raise exception 'this transaction is posted';
    end if;
    return new;
  end $$;
create or replace trigger ledger_entries_only_unposted before insert on ledger_entries
  for each row execute function ledger_entries_only_unposted();

create or replace trigger ledger_unsealed_no_update before update on ledger_unsealed
  for each row execute function ledger_is_append_only();

create or replace trigger document_gaps_no_update before update on document_gaps
  for each row execute function ledger_is_append_only();

create or replace trigger document_gaps_no_delete before delete on document_gaps
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_heads_no_delete before delete on ledger_heads
  for each row execute function ledger_is_append_only();

create or replace trigger document_series_no_delete before delete on document_series
  for each row execute function ledger_is_append_only();

create or replace trigger ledger_unsealed_no_truncate before truncate on ledger_unsealed
  for each statement execute function ledger_is_append_only();

create or replace trigger ledger_heads_no_truncate before truncate on ledger_heads
  for each statement execute function ledger_is_append_only();

create or replace trigger document_series_no_truncate before truncate on document_series
  for each statement execute function ledger_is_append_only();

create or replace trigger document_gaps_no_truncate before truncate on document_gaps
  for each statement execute function ledger_is_append_only();

create or replace function ledger_unsealed_only_sealed() returns trigger language plpgsql as $$
  begin
    if not exists (select 1 from ledger_seals where transaction_id = old.transaction_id) then
      raise exception 'this transaction has no seal';
    end if;
    return old;
  end $$;
create or replace trigger ledger_unsealed_only_sealed before delete on ledger_unsealed
  for each row execute function ledger_unsealed_only_sealed();

create or replace function ledger_heads_only_onwards() returns trigger language plpgsql as $$
  begin
    if new.wallet <> old.wallet or new.seq <= old.seq then
      raise exception 'the end of a wallet only moves on';
    end if;
    return new;
  end $$;
create or replace trigger ledger_heads_only_onwards before update on ledger_heads
  for each row execute function ledger_heads_only_onwards();

create or replace function document_series_only_onwards() returns trigger language plpgsql as $$
  begin
    if (new.kind, new.financial_year, new.code) <> (old.kind, old.financial_year, old.code)
      or new.last <= old.last or new.issued_ms < old.issued_ms then
      raise exception 'a series of documents only moves on';
    end if;
    return new;
  end $$;
create or replace trigger document_series_only_onwards before update on document_series
  for each row execute function document_series_only_onwards();
