import { Fragment, type CSSProperties } from "react";
import type { LetterData } from "../ui/src/wire";

type Part = LetterData["parts"][number];

/**
 * A letter, drawn from its JSON as a page is, with nothing to fetch. Mail programs know no style
 * sheets, so that the light colours stand in place; the classes are for the few rules of
 * `server/core/ssr/letter.css`, by which a dark screen gets its own.
 */
export function Letter({ letter }: { letter: LetterData }) {
  return (
    <div className="back" style={BACK}>
      <div style={WIDTH}>
        <header className="way" style={BRAND}>
          Dakiya
        </header>
        <main className="sheet" style={SHEET}>
          <h1 className="ink" style={HEADING}>
            {letter.heading}
          </h1>
          {letter.parts.map((part, at) => (
            <Drawn key={at} part={part} />
          ))}
        </main>
        <footer className="soft" style={FOOTER}>
          <p style={SMALL}>
            {letter.company}
            <br />
            <a className="way" style={LINK} href={`mailto:${letter.email}`}>
              {letter.email}
            </a>
          </p>
          {letter.footer.map((part, at) => (
            <Small key={at} part={part} />
          ))}
        </footer>
      </div>
    </div>
  );
}

function Drawn({ part }: { part: Part }) {
  switch (part.kind) {
    case "text":
      return (
        <p className="ink" style={TEXT}>
          {part.text}
        </p>
      );
    case "button":
    case "link":
      return (
        <p style={TEXT}>
          <Way part={part} />
        </p>
      );
    case "facts":
      return (
        <table style={TABLE}>
          <tbody>
            {part.facts.map(({ label, value, is_total: isTotal }, at) => (
              <tr key={at}>
                <th
                  className={isTotal ? "ink rule" : "soft rule"}
                  style={isTotal ? TOTAL_LABEL : LABEL}
                  scope="row"
                >
                  {label}
                </th>
                <td className="ink rule" style={isTotal ? TOTAL : VALUE}>
                  <Value text={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

/** A value whose words stay whole. A long number may break, after every fourth character. */
function Value({ text }: { text: string }) {
  const grouped = text.replace(/[\w-]{17,}/g, (word) => word.replace(/.{4}(?=..)/g, "$&\n"));
  return grouped.split("\n").map((group, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ));
}

/** At the end of a letter everything is small. */
function Small({ part }: { part: Part }) {
  if (part.kind === "facts") return null;
  return (
    <p style={SMALL}>
      {part.kind === "text" ? part.text : <Way part={{ ...part, kind: "link" }} />}
    </p>
  );
}

function Way({ part }: { part: Extract<Part, { kind: "button" | "link" }> }) {
  const [className, style] = part.kind === "button" ? ["act", BUTTON] : ["way", LINK];
  return (
    <a className={className} style={style} href={part.url} target="_blank" rel="noreferrer">
      {part.label}
    </a>
  );
}

const INK = "#1a2230";
const SOFT = "#566072";
const WAY = "#17518f";
const RULE = "1px solid #d5d9e0";

const BACK: CSSProperties = {
  background: "#f4f5f7",
  padding: "16px 8px 24px",
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Devanagari', sans-serif",
  fontSize: "16px",
  lineHeight: "1.5",
};
const WIDTH: CSSProperties = { maxWidth: "560px", margin: "0 auto" };
const BRAND: CSSProperties = {
  margin: "0 8px 12px",
  color: WAY,
  fontSize: "20px",
  fontWeight: "800",
};
const SHEET: CSSProperties = {
  display: "block",
  background: "#ffffff",
  border: RULE,
  borderRadius: "12px",
  padding: "20px 16px 8px",
};
const HEADING: CSSProperties = {
  margin: "0 0 12px",
  color: INK,
  fontSize: "22px",
  lineHeight: "1.3",
};
const TEXT: CSSProperties = { margin: "0 0 16px", color: INK, overflowWrap: "anywhere" };
const BUTTON: CSSProperties = {
  display: "inline-block",
  background: WAY,
  color: "#ffffff",
  borderRadius: "8px",
  padding: "12px 20px",
  fontWeight: "600",
  textDecoration: "none",
};
const LINK: CSSProperties = { color: WAY, textDecoration: "underline" };
const TABLE: CSSProperties = { width: "100%", margin: "0 0 16px", borderCollapse: "collapse" };
const LABEL: CSSProperties = {
  padding: "6px 12px 6px 0",
  borderBottom: RULE,
  color: SOFT,
  fontWeight: "400",
  textAlign: "left",
  verticalAlign: "top",
};
const VALUE: CSSProperties = {
  padding: "6px 0",
  borderBottom: RULE,
  color: INK,
  textAlign: "right",
  verticalAlign: "top",
  // Unlike "anywhere" it leaves the words their room.
  overflowWrap: "break-word",
};
const TOTAL_LABEL: CSSProperties = { ...LABEL, color: INK, fontWeight: "700" };
const TOTAL: CSSProperties = { ...VALUE, fontWeight: "700" };
const FOOTER: CSSProperties = { margin: "16px 8px 0", color: SOFT };
const SMALL: CSSProperties = { margin: "0 0 8px", fontSize: "14px" };
