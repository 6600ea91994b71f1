import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { rupees } from "../lib/format";
import { preventDefault } from "../lib/prevent-default";
import { useSite } from "../lib/site";
import type { User } from "../wire";
import { useWords } from "../words/words";
import { ButtonLink } from "./button";
import { HindiWord } from "./hindi-word";
import { Icon, type IconName } from "./icon";
import { Logo } from "./logo";
import { Menu } from "./menu";

type Entry = { to: string; label: string; icon: IconName };

/** On a phone the bar at the bottom, else the first of the side panel. */
const NAVIGATION: readonly Entry[] = [
  { to: "/dashboard", label: "Dashboard", icon: "dashboard" },
  { to: "/courier", label: "Courier", icon: "courier" },
  { to: "/calculate", label: "Calculate", icon: "calculate" },
  { to: "/track", label: "Track", icon: "track" },
  { to: "/recharge", label: "Recharge", icon: "wallet" },
];

/** In the menu of the account alone. */
const ACCOUNT: readonly Entry[] = [{ to: "/account", label: "Your account", icon: "account" }];

/** On a phone in the menu of the account, else below the others. */
const MORE: readonly Entry[] = [
  { to: "/bookings", label: "All bookings", icon: "bookings" },
  { to: "/addresses", label: "Address book", icon: "addresses" },
  { to: "/help", label: "Help", icon: "help" },
];

const FOOTER = [
  { to: "/help", label: "Help" },
  { to: "/terms-and-conditions", label: "Terms & Conditions" },
  { to: "/privacy-policy", label: "Privacy Policy" },
  { to: "/refund-cancellation-policy", label: "Refund & Cancellation" },
  { to: "/shipping-policy", label: "Shipping Policy" },
] as const;

type Props = {
  user: User | null;
  pathname: string;
  notices: ReactNode;
  onLogout: () => void;
  children: ReactNode;
};

/** The frame of every screen. Logged out: no menus, everything centred. */
export function Layout({ user, pathname, notices, onLogout, children }: Props) {
  const t = useWords();
  const { company, sandbox } = useSite();
  // On a phone the wizard needs the room above its steps.
  const isWizard = pathname === "/courier";
  return (
    <div className={user === null ? "layout-guest" : "layout-member"}>
      <a className="skip-link" href="#main">
        {t("Skip to content")}
      </a>
      <Header {...{ user, pathname, onLogout }} />
      {user !== null && <Navigation pathname={pathname} />}
      {notices}
      <div className="layout-content">
        {sandbox && !isWizard && <SandboxNotice />}
        <main id="main">{children}</main>
        {sandbox && isWizard && <SandboxNotice />}
        <Footer company={company.name} />
      </div>
    </div>
  );
}

function SandboxNotice() {
  const t = useWords();
  return (
    <aside className="sandbox-notice" aria-label={t("Sandbox")}>
      <strong>{t("Sandbox")}</strong> {t("No real money moves and no parcel is picked up.")}
    </aside>
  );
}

function Header({ user, pathname, onLogout }: Pick<Props, "user" | "pathname" | "onLogout">) {
  return (
    <header className="header">
      <a className="brand" href={user === null ? "/login" : "/dashboard"}>
        <Logo />
        <span>Dakiya</span>
      </a>
      {user === null ? (
        pathname !== "/offline" && <ButtonLink kind="primary" href="/login" label="Login" />
      ) : (
        <>
          <Account {...{ user, pathname, onLogout }} />
          <LogoutForm inHeader onLogout={onLogout} />
        </>
      )}
    </header>
  );
}

type AccountProps = { user: User; pathname: string; onLogout: () => void };

/** Who is logged in and what they have, with the menu of their account. */
function Account({ user, pathname, onLogout }: AccountProps) {
  const t = useWords();
  const label = (
    <>
      <span className="account">
        <span className="account-name" translate="no">
          {fullName(user)}
        </span>
        <span className="account-balance" translate="no">
          {t("Balance: {amount}", { amount: rupees(user.balance) })}
        </span>
      </span>
      <Icon name="menu" />
    </>
  );
  return (
    <Menu label={label}>
      <ul>
        <Items pathname={pathname} entries={ACCOUNT} />
      </ul>
      <ul className="menu-more">
        <Items pathname={pathname} entries={MORE} />
      </ul>
      <LogoutForm onLogout={onLogout} />
    </Menu>
  );
}

type LogoutProps = { inHeader?: boolean; onLogout: () => void };

/** In the menu, and beside it where there is room. */
function LogoutForm({ inHeader = false, onLogout }: LogoutProps) {
  const t = useWords();
  return (
    <form
      className={inHeader ? "logout" : undefined}
      method="post"
      action="/logout"
      onSubmit={preventDefault(onLogout)}
    >
      <button type="submit">
        <Icon name="logout" />
        {t("Logout")}
      </button>
    </form>
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
        <Items pathname={pathname} entries={NAVIGATION} />
      </ul>
      <ul className="navigation-more">
        <Items pathname={pathname} entries={MORE} />
      </ul>
    </nav>
  );
}

type ItemsProps = { pathname: string; entries: readonly Entry[] };

function Items({ pathname, entries }: ItemsProps) {
  const t = useWords();
  return entries.map(({ to, label, icon }) => (
    <li key={to}>
      <a href={to} aria-current={isActive(pathname, to) ? "page" : undefined}>
        <Icon name={icon} />
        {t(label)}
      </a>
    </li>
  ));
}

/** The entry of this screen, or of the one it belongs to. */
function isActive(pathname: string, to: string): boolean {
  if (pathname === "/") return to === "/dashboard";
  return pathname === to || pathname.startsWith(`${to}/`);
}

function Footer({ company }: { company: string }) {
  const t = useWords();
  return (
    <footer className="footer">
      <nav aria-label={t("Help and policies")}>
        <ul>
          {FOOTER.map(({ to, label }) => (
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
  const { pathname, search } = useLocation();
  const other = language === "en" ? "hi" : "en";
  return (
    <form method="post" action="/language">
      <input type="hidden" name="next" value={pathname + search} />
      <button className="button button-quiet" name="language" value={other} lang={other}>
        {other === "hi" ? <HindiWord /> : "English"}
      </button>
    </form>
  );
}
