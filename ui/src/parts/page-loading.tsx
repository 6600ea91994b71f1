import { Heading } from "./heading";
import { LoadFailed, type Reloadable } from "./load-failed";
import { Skeleton } from "./skeleton";

type Props = {
  /** The document's, which ends with the site's name. */
  title: string;
  resource: Reloadable;
};

/** Shown until a page is here, or when it could not be loaded. */
export function PageLoading({ title, resource }: Props) {
  return (
    <>
      <Heading>{title.replace(/ · Dakiya$/, "")}</Heading>
      <LoadFailed resource={resource} />
      {resource.error === null && <Skeleton lines={8} label="Loading" />}
    </>
  );
}
