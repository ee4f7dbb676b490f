"use strict";
// Shows the description of the API and lets one try it. No library: the page loads nothing from elsewhere.

const make = (tag, attributes = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
};

const MOST_DEPTH = 6;

// An example of a schema: its own, or one made of its parts.
const exampleOf = (schema, api, depth = 0) => {
  if (!schema || depth > MOST_DEPTH) return null;
  if (schema.$ref) return exampleOf(api.components.schemas[schema.$ref.split("/").pop()], api, depth + 1);
  if (schema.examples && schema.examples.length) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return exampleOf(choices.find((each) => each.type !== "null"), api, depth + 1);
  if (schema.type === "array") return [exampleOf(schema.items, api, depth + 1)];
  if (schema.type === "object") {
    const entries = Object.entries(schema.properties || {});
    return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part, api, depth + 1)]));
  }
  return { string: "text", integer: 0, number: 0, boolean: false }[schema.type] ?? null;
};

const bodySchema = (operation) => operation.requestBody?.content?.["application/json"]?.schema;

const parameterTable = (parameters) => {
  const rows = parameters.map((each) => {
    const input = make("input", { name: each.name });
    input.dataset.place = each.in;
    const about = make("td", {}, `${each.in}${each.required ? ", required" : ""}. ${each.description || ""}`);
    return make("tr", {}, make("td", {}, make("code", {}, each.name)), make("td", {}, input), about);
  });
  return make("table", {}, ...rows);
};

const tryOut = async (method, path, form, output) => {
  const headers = {};
  const query = new URLSearchParams();
  let target = path;
  for (const input of form.querySelectorAll("input")) {
    if (!input.value) continue;
    if (input.dataset.place === "path") target = target.replace(`{${input.name}}`, encodeURIComponent(input.value));
    if (input.dataset.place === "query") query.append(input.name, input.value);
    if (input.dataset.place === "header") headers[input.name] = input.value;
  }
  const token = document.getElementById("token").value;
  if (token) headers.authorization = `Bearer ${token}`;
  const body = form.querySelector("textarea")?.value;
  if (body) headers["content-type"] = "application/json";
  const answer = await fetch(query.size ? `${target}?${query}` : target, { method, headers, body });
  const text = answer.headers.get("content-type")?.includes("json") ? JSON.stringify(await answer.json(), null, 1) : await answer.text();
  output.textContent = `${answer.status} ${answer.statusText}\n${text}`;
};

const operationView = (method, path, operation, api) => {
  const form = make("form", {}, parameterTable(operation.parameters || []));
  const schema = bodySchema(operation);
  if (schema) form.append(make("textarea", { value: JSON.stringify(exampleOf(schema, api), null, 1) }));
  const output = make("pre");
  form.append(make("button", {}, "Send"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tryOut(method.toUpperCase(), path, form, output).catch((error) => { output.textContent = String(error); });
  });
  const answers = Object.entries(operation.responses).map(([status, each]) =>
    make("tr", {}, make("td", {}, status), make("td", {}, each.description || "")));
  return make("details", { className: "operation" },
    make("summary", {}, make("span", { className: "method" }, method.toUpperCase()), make("code", {}, path),
      ` ${operation.summary || ""}`, make("span", { className: "who" }, operation["x-access"] || "")),
    make("p", {}, operation.description || ""), form, output, make("table", {}, ...answers));
};

const show = (api) => {
  const groups = new Map();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] || "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operationView(method, path, operation, api));
    }
  }
  const parts = [...groups].flatMap(([tag, views]) => [make("h2", {}, tag), ...views]);
  document.getElementById("page").replaceChildren(make("p", { className: "intro" }, api.info.description), ...parts);
};

document.getElementById("find").addEventListener("input", (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const view of document.querySelectorAll(".operation")) {
    view.hidden = !view.querySelector("summary").textContent.toLowerCase().includes(wanted);
  }
});

fetch("/api/openapi/openapi.json").then((answer) => answer.json()).then(show).catch((error) => {
  document.getElementById("page").textContent = String(error);
});
