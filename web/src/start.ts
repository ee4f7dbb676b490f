// Begins the site once what the server has put into the page is seen: a browser would run the whole of it first.
const seen = document.hidden ? Promise.resolve() : new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
void seen.then(() => {
  // The modules of this page beside those of all.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) link.rel = "modulepreload";
  return import("./main");
});
