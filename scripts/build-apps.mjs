// Builds the console and the widget into `dist/` unless the build is up to date. Files are compressed at build time, so that
// the server does not have to.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { areAppsBuilt, hashSources, markAppsBuilt } from './built-apps.mjs';
import { holdLock } from './hold-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const staging = join(root, 'dist', `staging-${process.pid}`);
const compressible = /\.(js|css|html|svg|json)$/;

// Test runners set NODE_ENV to "test", which would produce development builds.
process.env.NODE_ENV = 'production';

await holdLock(join(root, '.runtime', 'building'), async () => {
  if (!areAppsBuilt()) await buildAll();
});

async function buildAll() {
  const sources = hashSources();
  await buildConsole();
  await buildWidget();
  await compressAll(staging);
  for (const app of ['console', 'widget']) {
    rmSync(join(root, 'dist', app), { recursive: true, force: true });
    renameSync(join(staging, app), join(root, 'dist', app));
  }
  rmSync(staging, { recursive: true, force: true });
  markAppsBuilt(sources);
}

async function buildConsole() {
  await build({
    configFile: join(root, 'console', 'vite.config.ts'),
    root: join(root, 'console'),
    logLevel: 'error',
    build: { outDir: join(staging, 'console'), emptyOutDir: true },
  });
}

// The loader's URL never changes, so the hashed file name of the engine is compiled into it.
async function buildWidget() {
  const widget = { configFile: join(root, 'widget', 'vite.config.ts'), root: join(root, 'widget'), logLevel: 'error' };
  const outDir = join(staging, 'widget');
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
      // Library mode leaves out the code that Vite adds to apps.
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
  for (const path of paths.filter((one) => compressible.test(one) && statSync(one).isFile())) {
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  }
}
