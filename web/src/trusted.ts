// The one place where text becomes HTML: statements, which the server has sanitised.
interface Policy {
  createHTML(text: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("deepoj", { createHTML: (text) => text });

export function showStatement(element: HTMLElement, sanitised: string): void {
  element.innerHTML = policy ? policy.createHTML(sanitised) : sanitised;
}
