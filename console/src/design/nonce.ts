/** The CSP nonce that the server puts into each page; styles added at runtime need it. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

declare global {
  var __webpack_nonce__: string;
}

/** react-remove-scroll, which locks scrolling behind dialogs, reads the nonce from this variable. */
export const announceNonce = (): void => {
  globalThis.__webpack_nonce__ = styleNonce();
};
