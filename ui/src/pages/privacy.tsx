import { useSite } from "../lib/site";
import { POLICY_VERSION, Policy } from "../parts/policy";
import { KYC_KEPT_DAYS } from "../wire";
import { PrivacyInHindi } from "../words/hi-privacy";

export default function Privacy() {
  const { company, language } = useSite();
  if (language === "hi") return <PrivacyInHindi />;
  return (
    <Policy title="Privacy Policy" version={POLICY_VERSION}>
      <p>
        {company.name} runs Dakiya, a courier booking service. This page says what we know about
        you, why we need it, who else sees it, and what you can ask of us.
      </p>
      <h2>What we keep</h2>
      <ul>
        <li>Your name, username, email address, telephone number, company and GSTIN.</li>
        <li>
          If you switch on two-step login: the secret that your app shares with us, encrypted, and
          your recovery codes as hashes, from which nobody can read them.
        </li>
        <li>
          If you add a passkey: its name and public key, with which nobody can log in. What logs in,
          and your fingerprint or face, stay in your device.
        </li>
        <li>In which language we write to you, and which emails you switched off.</li>
        <li>The kinds of browser you are logged in with, until you log out there.</li>
        <li>
          What happens to your account, such as logins, changed passwords and documents read, with
          the network address and the kind of browser it came from: for a year.
        </li>
        <li>
          For every booking: the names, addresses and telephone numbers of sender and receiver, the
          contents, their value, and the tracking events. Numbers of identity documents are kept
          encrypted.
        </li>
        <li>
          The addresses and packages in your address book, and a booking that you began: encrypted.
        </li>
        <li>Every movement of your wallet, with the payment provider’s reference.</li>
        <li>Identity documents you upload where a courier or customs requires them: encrypted.</li>
        <li>
          Which version of these terms and of this policy you agreed to, when, and from which
          network address.
        </li>
        <li>Technical records of requests, kept for security and for finding faults.</li>
      </ul>
      <p>
        We never see or store card numbers, UPI PINs or bank passwords. You enter them on the
        payment provider’s own page.
      </p>
      <h2>What we use it for</h2>
      <ul>
        <li>To price, book, collect, carry, deliver and track your shipments.</li>
        <li>To send delivery confirmation and other messages to your registered email address.</li>
        <li>
          If you wish so for a booking: to tell its receiver by SMS where it can be tracked, once
          when it is booked and once when it is out for delivery.
        </li>
        <li>
          To charge and refund your wallet and to keep the accounts and invoices the law wants.
        </li>
        <li>To protect your account and ours from misuse.</li>
      </ul>
      <h2>Who else sees it</h2>
      <p>
        The courier who carries the shipment, the payment provider for a recharge, those who carry
        our emails and SMS, and authorities where the law requires it. Nobody else, and nobody buys
        it.
      </p>
      <h2>Tracking pages</h2>
      <p>
        Anyone who knows an air waybill number can see the status, the places it passed and the city
        it goes to. Names, street addresses, telephone numbers and prices are shown to the sender’s
        account only.
      </p>
      <h2>Cookies</h2>
      <p>
        One cookie keeps you logged in. It cannot be read by scripts and ends when you log out. If
        you choose a language, another cookie remembers it. A third one lets us know your browser
        again for a year, so that we can tell you by email of a login with another, and so that you
        can log in while someone else tries passwords for your account. With two-step login one more
        lives for five minutes, between password and code. Your browser also remembers your name and
        balance for display, and a payment’s number and amount until it succeeds. We set no
        advertising cookies.
      </p>
      <h2>How long we keep it</h2>
      <ul>
        <li>
          Bookings, invoices, payments and the statement of your wallet: eight years, as tax law
          asks, also when your account is closed. They hold the names and addresses that were given
          for each shipment.
        </li>
        <li>Identity documents: {KYC_KEPT_DAYS} days after the last booking that used them.</li>
        <li>A booking that you began and did not make: 30 days after you last changed it.</li>
        <li>What happened to your account: a year.</li>
        <li>
          Everything else goes at once when you close your account: your name, email address and
          telephone number, the secret and codes of two-step login, your passkeys, your address
          book, drafts, identity documents, and where you were logged in.
        </li>
      </ul>
      <h2>What you can do yourself</h2>
      <p>
        On the page <a href="/account">Your account</a> you can download everything that we keep
        about you as one file, correct your profile, see what happened to your account and who of us
        looked at your data, and close your account. An account can be closed once your wallet is
        empty and no shipment, payment or weight difference is open. If there is money left that you
        do not want to spend, write to us, and we send it back to where it came from.
      </p>
      <h2>What you can ask</h2>
      <p>
        You may ask us to see, correct or delete what we hold about you, as far as the law lets us
        delete it, and complain about how we treat it. Write to the address below and we will
        answer. If our answer does not help you, you can turn to the Data Protection Board of India.
      </p>
    </Policy>
  );
}
