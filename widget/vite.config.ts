import { defineConfig } from 'vite';

/** What the loader and the app have in common; `scripts/build-apps.mjs` says which is built. */
export default defineConfig({
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 0, cssCodeSplit: false, modulePreload: false },
});
