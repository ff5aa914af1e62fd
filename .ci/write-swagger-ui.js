// A step of the build of `packages/load-balancer`. It writes the files of Swagger UI into `dist/openapi-page/swagger-ui.js`,
// and replaces the compiler's output there, which reads them from the package `swagger-ui-dist`. It runs in the folder of
// the package, under the condition @signalbox/source.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = 'src/openapi-page/swagger-ui.ts'
const { swaggerUi } = await import(pathToFileURL(resolve(source)).href)
const { resolve: resolvePackage } = createRequire(resolve(source))
const read = name => readFileSync(resolvePackage(`swagger-ui-dist/${name}`), 'utf8')
const { version } = JSON.parse(read('package.json'))

const folder = 'dist/openapi-page'
const functions = Object.entries(swaggerUi).map(
  ([name, file]) => `  ${name}: () => ${JSON.stringify(file())},\n`,
)
writeFileSync(
  `${folder}/swagger-ui.js`,
  `// Written by the build of this package.
/*! Swagger UI ${version}, ${read('NOTICE').trim().split('\n').at(-1).trim()} Apache License 2.0. */
export const swaggerUi = {
${functions.join('')}}
`,
)
writeFileSync(
  `${folder}/swagger-ui-license.txt`,
  [read('NOTICE'), read('LICENSE'), read('swagger-ui-bundle.js.LICENSE.txt')].join('\n'),
)
rmSync(`${folder}/swagger-ui.js.map`, { force: true })
