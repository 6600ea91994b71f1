//! The first letter of an account, sent when its address was confirmed.

use super::Notifications;
use super::letter::Letter;
use crate::model::account::user::LetterRecipient;

impl Notifications {
    pub fn post_welcome(&self, reader: LetterRecipient) {
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Welcome to Dakiya", "Dakiya में आपका स्वागत है")
            .text(
                "Your e-mail address is confirmed. To send your first parcel, compare what \
                 couriers ask for it, put that much into your wallet, and book.",
                "आपका ई-मेल पता पक्का हो गया है। पहला पार्सल भेजने के लिए कूरियरों के दाम देखें, \
                 वॉलेट में उतने पैसे डालें और बुक करें।",
            )
            .button("Compare prices", "दाम देखें", format!("{url}/calculate"))
            .link("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link("Questions and answers", "सवाल-जवाब", format!("{url}/help"))
            .text(
                "We write to you about your bookings, your wallet and the security of your \
                 account. You choose which of these letters you want:",
                "हम आपको आपकी बुकिंग, वॉलेट और खाते की सुरक्षा के बारे में लिखते हैं। कौन-से पत्र \
                 चाहिए, यह आप चुनते हैं:",
            )
            .link("My letters", "मेरे पत्र", format!("{url}/account#letters"));
        self.post_letter(letter);
    }
}
