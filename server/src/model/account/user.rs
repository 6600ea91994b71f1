//! A person with an account.

/// A person with an account. The password's hash stays behind in [`Credentials`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub user_id: String,
    pub username: String,
    pub email: String,
    pub phone: String,
    pub first_name: String,
    pub last_name: String,
    pub company_name: String,
    pub gstin: String,
}

/// What logging in needs.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: User,
    pub password_hash: String,
}

/// A person to be added.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub user: User,
    pub password_hash: String,
    pub created_ms: i64,
}
