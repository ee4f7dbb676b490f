// Before the first paint: the theme and the language that were chosen.
const read = (key: string): string | null => {
  try {
    return JSON.parse(localStorage.getItem(`deepoj.${key}`) ?? "null") as string | null;
  } catch {
    return null;
  }
};
const theme = read("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
const locale = (read("locale") ?? navigator.language).startsWith("zh") ? "zh" : "en";
// The server has gone by the browser's language: what it put there stays unseen if another one was chosen.
if (document.documentElement.lang !== locale) document.documentElement.dataset["other"] = "";
document.documentElement.lang = locale;

// The site begins once the content that the server has put into the page is seen, and is not fetched before: a browser
// would turn to it first. A page without content has nothing to wait for. The first of its modules is where it begins.
const begin = (): void => {
  const modules = [...document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')];
  for (const link of modules) link.rel = "modulepreload";
  if (modules[0]) void import(modules[0].href);
};
document.addEventListener("DOMContentLoaded", () => {
  if (document.hidden || !document.querySelector('link[rel="expect"]')) begin();
  else requestAnimationFrame(() => setTimeout(begin));
});
