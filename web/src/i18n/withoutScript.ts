const en = {
  "without_script.page": "This is what a guest can read here without JavaScript. Signing in, submitting, searching and whatever changes while you look needs it.",
  "without_script.solve": "Writing, running and submitting programs needs JavaScript: the editor is a program that runs in your browser.",
  "without_script.contest": "Taking part, asking questions and the statements of a contest need JavaScript: only a script can know who you are.",
  "without_script.board": "These are the first 100 rows as they were when the page was loaded. The rest, the board at another moment and its changes need JavaScript.",
};

/** Texts of pages that the server makes, for those whose browser runs no script; the site itself never shows them. */
export const withoutScript: Record<"en" | "zh", typeof en> = {
  en,
  zh: {
    "without_script.page": "这是访客在没有 JavaScript 时可以阅读的内容。登录、提交、搜索以及实时变化的内容都需要 JavaScript。",
    "without_script.solve": "编写、运行和提交程序需要 JavaScript：编辑器是在浏览器中运行的程序。",
    "without_script.contest": "参加比赛、提问以及比赛题面需要 JavaScript：只有脚本才知道您是谁。",
    "without_script.board": "这是页面加载时榜单的前 100 行。其余各行、其他时刻的榜单及其变化需要 JavaScript。",
  },
};
