/** The server names a nonce with each page; styles that are made while the page runs must carry it. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

declare global {
  var __webpack_nonce__: string;
}

/** Under this name the lock that keeps a page from scrolling behind a dialog looks for it. */
export const announceNonce = (): void => {
  globalThis.__webpack_nonce__ = styleNonce();
};
