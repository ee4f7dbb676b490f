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
const locale = read("locale") ?? navigator.language;
document.documentElement.lang = locale.startsWith("zh") ? "zh" : "en";
