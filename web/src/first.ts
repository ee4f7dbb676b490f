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
