import { describe, expect, test } from "vitest";
import {
  reduce,
  NEW_FLOW,
  STEP_TITLES,
  flowSteps,
  type Action,
  type Flow,
  type Step,
} from "./flow";
import { BOOKED, KYC, option, OTP, quoted } from "./sample";

/** Everything that can happen to a wizard, each as the customer or the server would say it. */
const HAPPENINGS = {
  "rates cleared": { type: "rates cleared" },
  "rates arrived": { type: "rates arrived", quoted: quoted([option()]) },
  "rate selected": { type: "rate selected", index: 0 },
  proceeded: { type: "proceeded" },
  "went back": { type: "went back" },
  "details priced": { type: "details priced", draft: {}, quote: option() },
  "kyc uploaded": { type: "kyc uploaded", kyc: KYC },
  "price changed": { type: "price changed", quote: option({ grand_total_with_gst: 300 }) },
  "otp asked": { type: "otp asked", otp: OTP },
  booked: { type: "booked", result: BOOKED },
  restored: { type: "restored", flow: NEW_FLOW },
  "price renewed": { type: "price renewed", quote: option({ grand_total_with_gst: 300 }) },
  attempted: { type: "attempted", attempt: null },
} satisfies Record<string, Action>;

type Happening = keyof typeof HAPPENINGS;

/** The four kinds of bookings there are, by what they ask of the customer. */
const KINDS = {
  plain: {},
  kyc: { kyc_required: true },
  otp: { otp_required: true },
  "kyc and otp": { kyc_required: true, otp_required: true },
} as const;

type Kind = keyof typeof KINDS;

/** A wizard of this kind in this step, reached as a customer reaches it. */
function at(kind: Kind, step: Step): Flow {
  const rate = option(KINDS[kind]);
  const way: Action[] = [
    { type: "rates arrived", quoted: quoted([rate]) },
    { type: "rate selected", index: 0 },
    { type: "proceeded" },
    { type: "details priced", draft: {}, quote: rate },
    HAPPENINGS["kyc uploaded"],
    HAPPENINGS["otp asked"],
    HAPPENINGS.booked,
  ];
  let flow = NEW_FLOW;
  for (const action of way) {
    if (flow.step === step && (step !== "rate" || flow.selected !== null)) return flow;
    if (action.type === "otp asked" && !("otp_required" in KINDS[kind])) continue;
    flow = reduce(flow, action);
  }
  return flow;
}

/**
 * Where each happening leads from each step: the step itself where it changes nothing. An arrow
 * with two ends leads to the first that the kind of booking has.
 */
const TABLE: Record<Happening, Record<Step, Step | readonly [Step, Step]>> = {
  "rates cleared": stays(),
  "rates arrived": stays(),
  "rate selected": stays(),
  proceeded: { ...stays(), rate: "details" },
  "went back": {
    rate: "rate",
    details: "rate",
    kyc: "details",
    review: ["kyc", "details"],
    otp: "review",
    success: "success",
  },
  "details priced": { ...stays(), details: ["kyc", "review"] },
  "kyc uploaded": { ...stays(), kyc: "review" },
  // A price that changed is to be reviewed; before there was one to confirm, nothing changes.
  "price changed": { ...stays(), otp: "review" },
  "otp asked": { ...stays(), review: "otp" },
  // The courier has it, whatever the customer looks at meanwhile.
  booked: leads(() => "success"),
  // The newer draft, or a new booking that begins with nothing.
  restored: leads(() => "rate"),
  "price renewed": stays(),
  attempted: stays(),
};

/** Where each step leads to. */
function leads(to: (step: Step) => Step): Record<Step, Step> {
  const steps = Object.keys(STEP_TITLES) as Step[];
  return Object.fromEntries(steps.map((step) => [step, to(step)])) as Record<Step, Step>;
}

function stays(): Record<Step, Step> {
  return leads((step) => step);
}

/** Every step of every kind with every happening. */
const ROWS = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
  flowSteps(at(kind, "review")).flatMap((step) =>
    (Object.keys(TABLE) as Happening[]).map((happening) => {
      const end = TABLE[happening][step];
      if (typeof end === "string") return { kind, step, happening, to: end };
      const [first, second] = end;
      const to = flowSteps(at(kind, step)).includes(first) ? first : second;
      return { kind, step, happening, to };
    }),
  ),
);

describe("the wizard's transition table", () => {
  test("has every step of the four kinds of bookings with every happening", () => {
    const steps = 4 + 5 + 5 + 6;
    expect(ROWS).toHaveLength(steps * Object.keys(HAPPENINGS).length);
  });

  test.each(ROWS)("$kind: in $step, $happening leads to $to", ({ kind, step, happening, to }) => {
    const before = at(kind, step);
    expect(before.step).toBe(step);
    const action: Action =
      happening === "details priced"
        ? { ...HAPPENINGS[happening], quote: option(KINDS[kind]) }
        : HAPPENINGS[happening];
    expect(reduce(before, action).step).toBe(to);
  });
});
