// Builds the console and the widget into `dist/`, unless what is there was built from the same sources. Each file is also
// compressed, so that the server only has to send it.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { areAppsBuilt, hashSources, markAppsBuilt } from './built-apps.mjs';
import { holdLock } from './hold-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const made = join(root, 'dist', `making-${process.pid}`);
const worthIt = /\.(js|css|html|svg|json)$/;

// Whoever builds under a test runner would otherwise make the slow, large kind that is for developing.
process.env.NODE_ENV = 'production';

await holdLock(join(root, '.runtime', 'building'), async () => {
  if (!areAppsBuilt()) await buildAll();
});

async function buildAll() {
  const sources = hashSources();
  await buildConsole();
  await buildWidget();
  await compressAll(made);
  for (const app of ['console', 'widget']) {
    rmSync(join(root, 'dist', app), { recursive: true, force: true });
    renameSync(join(made, app), join(root, 'dist', app));
  }
  rmSync(made, { recursive: true, force: true });
  markAppsBuilt(sources);
}

async function buildConsole() {
  await build({
    configFile: join(root, 'console', 'vite.config.ts'),
    root: join(root, 'console'),
    logLevel: 'error',
    build: { outDir: join(made, 'console'), emptyOutDir: true },
  });
}

// The loader stands at an address that never changes, so it has to be told the name of what it loads.
async function buildWidget() {
  const widget = { configFile: join(root, 'widget', 'vite.config.ts'), root: join(root, 'widget'), logLevel: 'error' };
  const outDir = join(made, 'widget');
  const app = await build({
    ...widget,
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input: join(root, 'widget', 'src', 'engine.ts'),
        preserveEntrySignatures: 'strict',
        output: { format: 'es', entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const { fileName } = app.output.find((chunk) => chunk.isEntry);
  await build({
    ...widget,
    define: { __ENGINE_FILE__: JSON.stringify(fileName) },
    build: {
      outDir,
      emptyOutDir: false,
      // As a library it gets nothing of what Vite adds to apps.
      lib: {
        entry: join(root, 'widget', 'src', 'loader.ts'),
        formats: ['iife'],
        name: 'parley',
        fileName: () => 'widget.js',
      },
    },
  });
}

async function compressAll(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  for (const path of paths.filter((one) => worthIt.test(one) && statSync(one).isFile())) {
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  }
}
