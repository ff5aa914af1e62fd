import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

/**
 * The files of Swagger UI that the page loads. Each function returns a file, compressed with gzip and as Base64.
 *
 * This module is only for tests in this repository. The build of the package replaces it by a module that contains the
 * files (`.ci/write-swagger-ui.js`), so that a bundle works without a folder beside it. See
 * docs/decisions/http.md#swagger-ui-in-the-package.
 */
export const swaggerUi = {
  script: () => packed('swagger-ui-bundle.js'),
  styles: () => packed('swagger-ui.css'),
}

function packed(name: string): string {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)
  return gzipSync(readFileSync(path), { level: 9 }).toString('base64')
}
