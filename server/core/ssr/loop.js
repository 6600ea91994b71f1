// The pull loop of ssr_rs.rs. The callbacks are removed from the global object before the bundle
// is loaded.
(() => {
  const { String } = globalThis;
  return {
    serve() {
      const { __load, __next, __rendered, __threw } = globalThis;
      for (const name of ["__load", "__next", "__rendered", "__threw"]) delete globalThis[name];
      const render = __load();
      if (render === undefined) return "";
      for (;;) {
        const page = __next();
        if (page === undefined) return "";
        let answer;
        try {
          answer = String(render(page));
        } catch (error) {
          __threw(error);
          return "";
        }
        __rendered(answer);
      }
    },
  };
})()
