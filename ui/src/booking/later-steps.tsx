import type { Dispatch } from "react";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import type { EarlierUpload, FormState, Preset } from "../wire";
import { DetailsStep, type Pickups } from "./details-step";
import type { Draft } from "./fields";
import { selectedRate, type Action, type Flow } from "./flow";
import { KycStep } from "./kyc-step";
import { OtpStep } from "./otp-step";
import { ReviewStep } from "./review-step";
import { SuccessStep } from "./success-step";
import { useConfirm } from "./use-confirm";

export type LaterStepsProps = {
  flow: Flow;
  dispatch: Dispatch<Action>;
  start: Draft | null;
  presets: readonly Preset[];
  pickups: Pickups;
  fill: (preset: Preset) => void;
  onPresets: () => void;
  onNew: () => void;
  /** The id of the draft that is shown. */
  draftId: () => string;
  /** Documents uploaded before, where the page has them. */
  earlier: readonly EarlierUpload[] | null;
  /** The plain form that was refused. */
  refused: FormState | null;
  /** The draft's, which a plain form discards. */
  revision: number;
};

/** The current step, which is not the first. */
export function LaterSteps(props: LaterStepsProps) {
  const { flow, dispatch, start, presets, pickups, fill, onPresets, onNew } = props;
  const { earlier, refused, revision, draftId } = props;
  const { user } = useSession();
  const confirm = useConfirm({ flow, dispatch, today: useSite().today, draftId });
  const { quoted } = flow;
  const option = selectedRate(flow);
  switch (flow.step) {
    case "details":
      return start === null || quoted === null || option === null ? null : (
        <DetailsStep
          {...{ quoted, option, dispatch, start, presets, pickups, fill, onPresets }}
          refused={refused ?? confirm.refused}
          opensAtErrors={refused === null && confirm.refused !== null}
        />
      );
    case "kyc":
      return <KycStep {...{ dispatch, earlier, refused }} />;
    case "review":
      return (
        <ReviewStep
          {...{ flow, dispatch, pickups, confirm, refused, onNew }}
          balance={user?.balance ?? 0}
        />
      );
    case "otp":
      return flow.otp === null ? null : <OtpStep otp={flow.otp} {...{ confirm, refused, onNew }} />;
    case "success":
      return flow.result === null ? null : (
        <SuccessStep result={flow.result} flow={flow} revision={revision} onAgain={onNew} />
      );
    case "rate":
      return null;
  }
}
