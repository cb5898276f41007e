/**
 * Vite plugin: the model folders are served in development and copied into the build, without the training code.
 * They are no assets of the bundle: the page fetches them by path, checks their hashes and caches them itself.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';
import type { Connect, Plugin, ResolvedConfig } from 'vite';

/** Model folders, by the path under which the page finds them. */
const FOLDERS = { '/models/ar/': 'models/ar', '/models/mdlm/': 'models/mdlm' };
/** Tiny models with which tests are quick; never part of a build. */
const TEST_FOLDERS = { '/micro/ar/': 'test/fixtures/micro/ar', '/micro/mdlm/': 'test/fixtures/micro/mdlm' };

function serveFolder(prefix: string, folder: string): Connect.NextHandleFunction {
  const handler = sirv(folder, { dev: true, etag: true });
  return (request, response, next) => {
    if (!request.url?.startsWith(prefix)) return next();
    const url = request.url;
    request.url = `/${url.slice(prefix.length)}`;
    // A missing file is a 404: the next handler might answer with a page, which would pass for a model.
    handler(request, response, () => {
      request.url = url;
      response.statusCode = 404;
      response.end('Not found\n');
    });
  };
}

/** Serves and copies the model folders; a folder that is missing is skipped with a warning. */
export function modelFiles(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'terrarium:model-files',
    configResolved(resolved) {
      config = resolved;
    },
    configureServer(server) {
      const testing = process.env['VITEST'] || process.env['TERRARIUM_TEST'] === '1';
      for (const [prefix, folder] of Object.entries({ ...FOLDERS, ...(testing ? TEST_FOLDERS : {}) })) {
        server.middlewares.use(serveFolder(prefix, join(config.root, folder)));
      }
    },
    closeBundle() {
      // Only the build of the page, not the bundles of its workers or a server's shutdown.
      if (config.command !== 'build') return;
      for (const [prefix, folder] of Object.entries(FOLDERS)) {
        const from = join(config.root, folder);
        if (!existsSync(join(from, 'config.json'))) {
          config.logger.warn(`${folder} has no model yet; the build goes without it.`);
          continue;
        }
        cpSync(from, join(config.root, config.build.outDir, prefix), { recursive: true });
      }
    },
  };
}
