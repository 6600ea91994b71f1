//! Users: people with an account.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::model::account::user::{Credentials, LetterRecipient, NewUser, User};
use crate::model::language::Language;

/// Selects users as `u`, with more columns and the given conditions.
macro_rules! select_users {
    ($which:literal $(, $more:literal)?) => {
        concat!(
            "select ", $($more, ", ",)?
            "u.user_id, u.username, u.email, u.email_confirmed_ms, u.new_email, u.phone,
               u.phone_confirmed_ms, u.first_name, u.last_name, u.company_name, u.gstin,
               u.two_step_ms, u.language, u.sez_gstin,
               (select count(*) from passkeys k where k.user_id = u.user_id) as passkeys
             from ",
            $which
        )
    };
}
pub(super) use select_users;

pub(super) fn user(row: &AnyRow) -> Result<User> {
    Ok(User {
        user_id: row.try_get("user_id")?,
        username: row.try_get("username")?,
        email: row.try_get("email")?,
        email_confirmed: row.try_get::<Option<i64>, _>("email_confirmed_ms")?.is_some(),
        new_email: row.try_get("new_email")?,
        phone: row.try_get("phone")?,
        phone_confirmed: row.try_get::<Option<i64>, _>("phone_confirmed_ms")?.is_some(),
        first_name: row.try_get("first_name")?,
        last_name: row.try_get("last_name")?,
        company_name: row.try_get("company_name")?,
        gstin: row.try_get("gstin")?,
        sez_gstin: row.try_get("sez_gstin")?,
        two_step_ms: row.try_get("two_step_ms")?,
        passkeys: row.try_get("passkeys")?,
        language: language(row)?,
    })
}

pub(super) fn language(row: &AnyRow) -> Result<Language> {
    let code: String = row.try_get("language")?;
    Ok(Language::parse(&code).unwrap_or_default())
}

/// Adds a user. `false` if the username is taken.
pub async fn add(conn: &mut Conn, new: &NewUser) -> Result<bool> {
    sqlx::query(
        "insert into users (user_id, username, username_key, email, email_key, phone,
           password_hash, first_name, last_name, company_name, gstin, created_ms, language)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict do nothing",
    )
    .bind(&new.user.user_id)
    .bind(&new.user.username)
    .bind(new.user.username.to_lowercase())
    .bind(&new.user.email)
    .bind(new.user.email.to_lowercase())
    .bind(&new.user.phone)
    .bind(&new.password_hash)
    .bind(&new.user.first_name)
    .bind(&new.user.last_name)
    .bind(&new.user.company_name)
    .bind(&new.user.gstin)
    .bind(new.created_ms)
    .bind(new.user.language.code())
    .changes_one(conn)
    .await
}

pub(crate) async fn is_username_taken(conn: &mut Conn, username: &str) -> Result<bool> {
    let count = "select count(*) from users where username_key = $1";
    sqlx::query(count).bind(username.to_lowercase()).counts_any(conn).await
}

pub(crate) async fn find(conn: &mut Conn, user_id: &str) -> Result<Option<User>> {
    let select = select_users!("users u where u.user_id = $1");
    sqlx::query(select).bind(user_id).read_first(conn, user).await
}

fn read_credentials(row: &AnyRow) -> Result<Credentials> {
    let password_hash = row.try_get("password_hash")?;
    Ok(Credentials { user: user(row)?, password_hash })
}

/// Finds the account by username or by its confirmed email address, ignoring case.
pub async fn credentials(conn: &mut Conn, name: &str) -> Result<Option<Credentials>> {
    let find = match name.contains('@') {
        true => select_users!(
            "users u where u.email_key = $1 and u.email_confirmed_ms is not null",
            "u.password_hash"
        ),
        false => select_users!(
            "users u where u.username_key = $1 and u.closed_ms is null",
            "u.password_hash"
        ),
    };
    sqlx::query(find).bind(name.to_lowercase()).read_first(conn, read_credentials).await
}

/// Finds the account whose username is this address, which it claims or has lost.
pub(crate) async fn claimant(conn: &mut Conn, address: &str) -> Result<Option<Credentials>> {
    let find = select_users!(
        "users u where u.username_key = $1 and u.email_confirmed_ms is null",
        "u.password_hash"
    );
    sqlx::query(find).bind(address.to_lowercase()).read_first(conn, read_credentials).await
}

pub(crate) async fn credentials_of(conn: &mut Conn, user_id: &str) -> Result<Option<Credentials>> {
    let find =
        select_users!("users u where u.user_id = $1 and u.closed_ms is null", "u.password_hash");
    sqlx::query(find).bind(user_id).read_first(conn, read_credentials).await
}

/// Returns the user with this username, or the one who confirmed this email address. An address
/// that nobody confirmed has all who claim it or have it as username: at most two are returned.
pub async fn find_by_name(conn: &mut Conn, name: &str) -> Result<Vec<User>> {
    if let Some(found) = credentials(conn, name).await? {
        return Ok(vec![found.user]);
    }
    if !name.contains('@') {
        return Ok(Vec::new());
    }
    let find = select_users!(
        "users u where (u.email_key = $1 or u.username_key = $1) and u.email_confirmed_ms is null
         order by u.user_id limit 2"
    );
    sqlx::query(find).bind(name.to_lowercase()).read_all(conn, user).await
}

/// Stores a changed profile. A new email address waits for its link, and a new phone number is not
/// confirmed.
pub(crate) async fn update(conn: &mut Conn, user: &User) -> Result<()> {
    sqlx::query(
        "update users set new_email = $2, phone = $3, first_name = $4, last_name = $5,
           company_name = $6, gstin = $7,
           phone_confirmed_ms = case when phone = $3 then phone_confirmed_ms end
         where user_id = $1",
    )
    .bind(&user.user_id)
    .bind(&user.new_email)
    .bind(&user.phone)
    .bind(&user.first_name)
    .bind(&user.last_name)
    .bind(&user.company_name)
    .bind(&user.gstin)
    .run(conn)
    .await
}

/// Sets a confirmed email address, and takes it from all who only claim it, but for frozen
/// accounts. They keep their usernames, as some have money. A username that is the account's
/// address follows it. `false` if another account has confirmed the address.
pub(crate) async fn confirm_email(
    conn: &mut Conn,
    user_id: &str,
    email: &str,
    now_ms: i64,
) -> Result<bool> {
    let key = email.to_lowercase();
    let confirmed = sqlx::query(
        "update users set email = $2, email_key = $3, email_confirmed_ms = $4, new_email = null,
           username = case when username_key like '%@%' then $2 else username end,
           username_key = case when username_key like '%@%' then '@' || user_id
                          else username_key end
         where user_id = $1",
    )
    .bind(user_id)
    .bind(email)
    .bind(&key)
    .bind(now_ms)
    .execute(&mut *conn)
    .await;
    match confirmed {
        Ok(confirmed) if confirmed.rows_affected() == 1 => {}
        Ok(_) => return Ok(false),
        Err(error) => return lost_address(error),
    }
    let release = "update users set email = '', email_key = ''
                   where email_key = $1 and email_confirmed_ms is null and frozen_ms is null";
    match sqlx::query(release).bind(key).execute(conn).await {
        Ok(_) => Ok(true),
        Err(error) => lost_address(error),
    }
}

/// Withdraws the confirmation of this address from another account that confirmed it at this time
/// or later. Returns the id of that account.
pub(crate) async fn withdraw_address(
    conn: &mut Conn,
    user_id: &str,
    email: &str,
    since_ms: i64,
) -> Result<Option<String>> {
    let update = "update users set email_confirmed_ms = null
                  where email_key = $1 and user_id <> $2 and email_confirmed_ms >= $3
                  returning user_id";
    let update = sqlx::query_scalar(update).bind(email.to_lowercase()).bind(user_id);
    Ok(update.bind(since_ms).fetch_optional(conn).await?)
}

/// Returns `false` if another account has confirmed the address, or is about to: when two accounts
/// do so at once, Postgres ends one of the transactions as a deadlock.
fn lost_address(error: sqlx::Error) -> Result<bool> {
    match error {
        sqlx::Error::Database(error)
            if error.is_unique_violation() || error.code().as_deref() == Some("40P01") =>
        {
            Ok(false)
        }
        error => Err(error.into()),
    }
}

/// Takes the address from each account that was opened before this time, has not confirmed it, and
/// has neither money nor bookings. A username that is an address becomes one that no user can
/// choose. Frozen accounts are left as they are.
pub(crate) async fn release_old_claims(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let given_up = "email_confirmed_ms is null and frozen_ms is null and closed_ms is null
                    and (email_key <> '' or username_key like '%@%') and created_ms < $1
                    and not exists (select 1 from ledger_accounts a
                                    where a.account_id in ('available:' || users.user_id,
                                                           'held:' || users.user_id)
                                      and a.balance_paise <> 0)
                    and not exists (select 1 from payment_orders o
                                    where o.user_id = users.user_id)
                    and not exists (select 1 from bookings b
                                    where b.user_id = users.user_id)";
    let release = "email = '', email_key = '',
                   username = case when username_key like '%@%' then 'user:' || user_id
                              else username end,
                   username_key = case when username_key like '%@%'
                                    then lower('user:' || user_id) else username_key end";
    old_rows::update(conn, "users", "user_id", given_up, release, before_ms).await
}

/// Counts the accounts that claim an address since this time.
pub(crate) async fn claims_since(conn: &mut Conn, email: &str, since_ms: i64) -> Result<i64> {
    let count = "select count(*) from users
                 where email_key = $1 and email_confirmed_ms is null and created_ms > $2";
    let count = sqlx::query_scalar(count).bind(email.to_lowercase()).bind(since_ms);
    Ok(count.fetch_one(conn).await?)
}

/// The times since when an account's address and phone number are confirmed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConfirmationTimes {
    pub email_ms: Option<i64>,
    pub phone_ms: Option<i64>,
}

pub(crate) async fn confirmed_since(conn: &mut Conn, user_id: &str) -> Result<ConfirmationTimes> {
    let select = "select email_confirmed_ms, phone_confirmed_ms from users where user_id = $1";
    let read = |row: &AnyRow| {
        Ok(ConfirmationTimes {
            email_ms: row.try_get("email_confirmed_ms")?,
            phone_ms: row.try_get("phone_confirmed_ms")?,
        })
    };
    let found = sqlx::query(select).bind(user_id).read_first(conn, read).await?;
    Ok(found.unwrap_or(ConfirmationTimes { email_ms: None, phone_ms: None }))
}

/// Confirms the phone number of the account. `false` if the number has changed.
pub(crate) async fn confirm_phone(
    conn: &mut Conn,
    user_id: &str,
    phone: &str,
    now_ms: i64,
) -> Result<bool> {
    let confirm = "update users set phone_confirmed_ms = $3 where user_id = $1 and phone = $2";
    sqlx::query(confirm).bind(user_id).bind(phone).bind(now_ms).changes_one(conn).await
}

/// Returns the id of the account that confirmed this email address, ignoring case.
pub(crate) async fn by_email(conn: &mut Conn, email: &str) -> Result<Option<String>> {
    Ok(owner_of_address(conn, email).await?.map(|owner| owner.user_id))
}

/// Returns the account that confirmed this email address as the recipient of a letter.
pub(crate) async fn owner_of_address(
    conn: &mut Conn,
    email: &str,
) -> Result<Option<LetterRecipient>> {
    let select = "select user_id, email, language from users
                  where email_key = $1 and email_confirmed_ms is not null";
    sqlx::query(select).bind(email.to_lowercase()).read_first(conn, reader_of).await
}

/// The hash that no password has: nobody logs in until a link has set another.
pub(crate) const NO_PASSWORD: &str = "";

pub(crate) async fn set_password(
    conn: &mut Conn,
    user_id: &str,
    password_hash: &str,
) -> Result<()> {
    let update = "update users set password_hash = $2 where user_id = $1";
    sqlx::query(update).bind(user_id).bind(password_hash).run(conn).await
}

/// True if this is still the hash of the user's password.
pub(crate) async fn has_password(
    conn: &mut Conn,
    user_id: &str,
    password_hash: &str,
) -> Result<bool> {
    let count = "select count(*) from users where user_id = $1 and password_hash = $2";
    sqlx::query(count).bind(user_id).bind(password_hash).counts_any(conn).await
}

/// Locks the user's row until the transaction ends, so that what is counted per user is counted one
/// after another. Changes nothing.
pub(crate) async fn lock(conn: &mut Conn, user_id: &str) -> Result<()> {
    sqlx::query("update users set phone = phone where user_id = $1").bind(user_id).run(conn).await
}

/// Returns the recipient of an account's letters; `None` while the address is not confirmed.
pub(crate) async fn reader(conn: &mut Conn, user_id: &str) -> Result<Option<LetterRecipient>> {
    let select = "select user_id, email, language from users
                  where user_id = $1 and email_confirmed_ms is not null";
    sqlx::query(select).bind(user_id).read_first(conn, reader_of).await
}

/// Reads the recipient of letters from a row that has it.
pub(super) fn reader_of(row: &AnyRow) -> Result<LetterRecipient> {
    Ok(LetterRecipient {
        user_id: row.try_get("user_id")?,
        email: row.try_get("email")?,
        language: language(row)?,
    })
}

pub(crate) async fn set_language(conn: &mut Conn, user_id: &str, language: Language) -> Result<()> {
    let update = "update users set language = $2 where user_id = $1";
    sqlx::query(update).bind(user_id).bind(language.code()).run(conn).await
}

/// Freezes an account. `false` if it was frozen before.
pub(crate) async fn freeze(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<bool> {
    let update = "update users set frozen_ms = $2 where user_id = $1 and frozen_ms is null";
    sqlx::query(update).bind(user_id).bind(now_ms).changes_one(conn).await
}

/// Unfreezes an account. `false` if it was not frozen.
pub(crate) async fn unfreeze(conn: &mut Conn, user_id: &str) -> Result<bool> {
    let free = "update users set frozen_ms = null
                where user_id = $1 and frozen_ms is not null and closed_ms is null";
    sqlx::query(free).bind(user_id).changes_one(conn).await
}

/// Returns true if the account was opened by this time and its email address is confirmed.
pub(crate) async fn is_established(
    conn: &mut Conn,
    user_id: &str,
    opened_before_ms: i64,
) -> Result<bool> {
    let count = "select count(*) from users
                 where user_id = $1 and created_ms <= $2 and email_confirmed_ms is not null";
    sqlx::query(count).bind(user_id).bind(opened_before_ms).counts_any(conn).await
}

pub(crate) async fn frozen_ms(conn: &mut Conn, user_id: &str) -> Result<Option<i64>> {
    let since = sqlx::query_scalar("select frozen_ms from users where user_id = $1");
    Ok(since.bind(user_id).fetch_optional(conn).await?.flatten())
}

pub(crate) async fn closed_ms(conn: &mut Conn, user_id: &str) -> Result<Option<i64>> {
    let since = sqlx::query_scalar("select closed_ms from users where user_id = $1");
    Ok(since.bind(user_id).fetch_optional(conn).await?.flatten())
}

/// Sets the GSTIN that counts as an SEZ unit's; empty for none. `false` if it is that already.
pub(crate) async fn set_sez_gstin(conn: &mut Conn, user_id: &str, gstin: &str) -> Result<bool> {
    let update = "update users set sez_gstin = $2 where user_id = $1 and sez_gstin <> $2";
    sqlx::query(update).bind(user_id).bind(gstin).changes_one(conn).await
}

/// Removes all personal data from an account and closes it. `false` if it was closed before. Its
/// new name begins like no name that a user can choose. The last letter is sent to the address, if
/// that was confirmed.
pub(crate) async fn close(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<bool> {
    let update = "update users set closed_ms = $2, frozen_ms = coalesce(frozen_ms, $2),
                    closing_email = case when email_confirmed_ms is null then null else email end,
                    username = 'closed:' || user_id, username_key = 'closed:' || user_id,
                    email = 'closed:' || user_id, email_key = 'closed:' || user_id,
                    email_confirmed_ms = null, new_email = null, phone = '',
                    phone_confirmed_ms = null, password_hash = '',
                    first_name = 'Closed', last_name = 'account', company_name = '', gstin = '',
                    sez_gstin = '', two_step_ms = null
                  where user_id = $1 and closed_ms is null";
    sqlx::query(update).bind(user_id).bind(now_ms).changes_one(conn).await
}

/// Returns the recipient of the letter about the closing; `None` if there is none to send.
pub(crate) async fn closing_recipient(
    conn: &mut Conn,
    user_id: &str,
) -> Result<Option<LetterRecipient>> {
    let select = "select user_id, closing_email as email, language from users
                  where user_id = $1 and closing_email is not null";
    sqlx::query(select).bind(user_id).read_first(conn, reader_of).await
}

/// Deletes the address of the last letter, which was sent or never will be.
pub(crate) async fn delete_closing_email(conn: &mut Conn, user_id: &str) -> Result<()> {
    let update = "update users set closing_email = null where user_id = $1";
    sqlx::query(update).bind(user_id).run(conn).await
}
