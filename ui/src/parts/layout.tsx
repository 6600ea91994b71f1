import type { FormEvent, ReactNode } from "react";
import { rupees } from "../format";
import type { User } from "../page";
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
  return (
    <div className={user === null ? "layout layout-guest" : "layout layout-member"}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header user={user} pathname={pathname} onLogout={onLogout} />
      {user !== null && <Navigation pathname={pathname} />}
      <Notices {...notices} />
      <div className="body">
        {sandbox && (
          <aside className="sandbox" aria-label="Sandbox">
            <strong>Sandbox</strong> No real money moves and no parcel is picked up.
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
  return (
    <header className="header">
      <a className="brand" href={user === null ? "/login" : "/dashboard"}>
        <Logo />
        <span>Dakiya</span>
      </a>
      {user === null ? (
        pathname !== "/login" && (
          <a className="button button-primary" href="/login">
            Login
          </a>
        )
      ) : (
        <Account user={user} onLogout={onLogout} />
      )}
    </header>
  );
}

function Account({ user, onLogout }: { user: User; onLogout: () => void }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onLogout();
  };
  return (
    <div className="account">
      <p className="account-who">
        <span className="account-name">{fullName(user)}</span>
        <span className="account-balance">{`Balance: ${rupees(user.balance)}`}</span>
      </p>
      <form method="post" action="/logout" onSubmit={submit}>
        <button className="button" type="submit">
          Logout
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
  return (
    <nav className="nav" aria-label="Main">
      <ul>
        {NAVIGATION.map(({ to, label }) => (
          <li key={to}>
            <a href={to} aria-current={isActive(pathname, to) ? "page" : undefined}>
              {label}
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
  return (
    <footer className="footer">
      <nav aria-label="Policies">
        <ul>
          {POLICIES.map(({ to, label }) => (
            <li key={to}>
              <a href={to}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
      <p>{company}</p>
    </footer>
  );
}
