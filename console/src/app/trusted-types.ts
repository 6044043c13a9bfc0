/** The part of the Trusted Types API that is used here; TypeScript does not declare it. */
interface TrustedTypes {
  createPolicy(
    name: 'default',
    rules: { createHTML(text: string, type: string, sink: string): string | null },
  ): unknown;
}

/**
 * The console's content security policy requires Trusted Types, and React and Mantine assign plain strings. Accepted are
 * style sheets, which contain no markup, and original emails, which are shown in a sandboxed frame. Everything else,
 * and every script, is rejected by the browser.
 */
export const allowOnlyStyles = (): void => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createHTML: (text, _type, sink) => (sink === 'HTMLIFrameElement srcdoc' || !text.includes('<') ? text : null),
  });
};
