//! The letter about a download of all of a customer's data.

use super::Accounts;
use super::new_device::from_where;
use crate::model::account::session::CurrentUser;
use crate::services::notifications::letter::{Letter, LetterText};

impl Accounts {
    /// Tells the customer by email that all data was downloaded, and from where.
    pub(crate) async fn tell_of_export(&self, user: &CurrentUser) {
        self.tell_owners(&user.user, self.data_letter(user)).await;
    }

    fn data_letter(&self, user: &CurrentUser) -> Letter {
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        from_where(self.change_letter(&user.user, &DOWNLOADED), &user.origin).if_not_you(url, email)
    }
}

const DOWNLOADED: LetterText = LetterText {
    subject: (
        "All data of your Dakiya account was downloaded",
        "आपके Dakiya खाते की सारी जानकारी डाउनलोड की गई",
    ),
    text: (
        "The file has your profile, addresses, bookings, invoices and payments.",
        "फ़ाइल में आपकी प्रोफ़ाइल, पते, बुकिंग, इनवॉइस और भुगतान हैं।",
    ),
};
