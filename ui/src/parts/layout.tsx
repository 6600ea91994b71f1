import type { FormEvent, ReactNode } from "react";
import { rupees } from "../lib/format";
import { usePlace } from "../lib/place";
import { useSite } from "../lib/site";
import type { User } from "../wire";
import { useWords } from "../words/words";
import { Logo } from "./logo";
import { Notices, type NoticesProps } from "./notices";

const NAVIGATION = [
  { to: "/dashboard", label: "Dashboard" },
  { to: "/courier", label: "Courier" },
  { to: "/calculate", label: "Calculate" },
  { to: "/track", label: "Track" },
  { to: "/recharge", label: "Recharge" },
] as const;

const POLICIES = [
  { to: "/terms-and-conditions", label: "Terms & Conditions" },
  { to: "/privacy-policy", label: "Privacy Policy" },
  { to: "/refund-cancellation-policy", label: "Refund & Cancellation" },
  { to: "/shipping-policy", label: "Shipping Policy" },
] as const;

type Props = {
  user: User | null;
  pathname: string;
  company: string;
  sandbox: boolean;
  notices: NoticesProps;
  onLogout: () => void;
  children: ReactNode;
};

/** What surrounds every screen. Logged out: no menus, everything centred. */
export function Layout({ user, pathname, company, sandbox, notices, onLogout, children }: Props) {
  const t = useWords();
  return (
    <div className={user === null ? "layout-guest" : "layout-member"}>
      <a className="skip-link" href="#main">
        {t("Skip to content")}
      </a>
      <Header user={user} pathname={pathname} onLogout={onLogout} />
      {user !== null && <Navigation pathname={pathname} />}
      <Notices {...notices} />
      <div className="layout-content">
        {sandbox && (
          <aside className="sandbox-notice" aria-label={t("Sandbox")}>
            <strong>{t("Sandbox")}</strong> {t("No real money moves and no parcel is picked up.")}
          </aside>
        )}
        <main id="main">{children}</main>
        <Footer company={company} />
      </div>
    </div>
  );
}

type HeaderProps = { user: User | null; pathname: string; onLogout: () => void };

function Header({ user, pathname, onLogout }: HeaderProps) {
  const t = useWords();
  return (
    <header className="header">
      <a className="brand" href={user === null ? "/login" : "/dashboard"}>
        <Logo />
        <span>Dakiya</span>
      </a>
      {user === null ? (
        pathname !== "/offline" && (
          <a className="button button-primary" href="/login">
            {t("Login")}
          </a>
        )
      ) : (
        <Account user={user} atHome={pathname === "/account"} onLogout={onLogout} />
      )}
    </header>
  );
}

type AccountProps = { user: User; atHome: boolean; onLogout: () => void };

/** Who is logged in, with the way to their account. */
function Account({ user, atHome, onLogout }: AccountProps) {
  const t = useWords();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLogout();
  };
  return (
    <div className="header-account">
      <a className="account-link" href="/account" aria-current={atHome ? "page" : undefined}>
        <span className="account-name">{fullName(user)}</span>
        <span className="account-balance">{t(`Balance: ${rupees(user.balance)}`)}</span>
      </a>
      <form method="post" action="/logout" onSubmit={submit}>
        <button className="button" type="submit">
          {t("Logout")}
        </button>
      </form>
    </div>
  );
}

/** The username stands in when there is neither first nor last name. */
export function fullName(user: User): string {
  const name = `${user.first_name} ${user.last_name}`.trim();
  return name === "" ? user.username : name;
}

function Navigation({ pathname }: { pathname: string }) {
  const t = useWords();
  return (
    <nav className="navigation" aria-label={t("Main")}>
      <ul>
        {NAVIGATION.map(({ to, label }) => (
          <li key={to}>
            <a href={to} aria-current={isActive(pathname, to) ? "page" : undefined}>
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The entry of this screen, or of the one it belongs to. */
function isActive(pathname: string, to: string): boolean {
  if (pathname === "/") return to === "/dashboard";
  return pathname === to || pathname.startsWith(`${to}/`);
}

/** Plain links: the policies are whole documents of their own. */
function Footer({ company }: { company: string }) {
  const t = useWords();
  return (
    <footer className="footer">
      <nav aria-label={t("Policies")}>
        <ul>
          {POLICIES.map(({ to, label }) => (
            <li key={to}>
              <a href={to}>{t(label)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <OtherLanguage />
      <p>{company}</p>
    </footer>
  );
}

/** A plain form: it answers with this same page in the other language. */
function OtherLanguage() {
  const { language } = useSite();
  const { pathname, search } = usePlace();
  const [other, name] = language === "en" ? ["hi", "हिन्दी"] : ["en", "English"];
  return (
    <form method="post" action="/language">
      <input type="hidden" name="next" value={pathname + search} />
      <button className="button button-quiet" name="language" value={other} lang={other}>
        {name}
      </button>
    </form>
  );
}
