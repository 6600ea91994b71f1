/** The page of each screen in screens.json; `build.mjs` writes this module. */
declare module "dakiya:pages" {
  const pages: Readonly<Record<string, import("../ui/src/pages/page-source").Page>>;
  export default pages;
}
