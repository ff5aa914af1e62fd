import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

/** Returns the source code of a function that answers with this body. */
export const answerWith = (body: string, before = '') => `
  const body: string = ${JSON.stringify(body)}
  export const handler = async (event: { path?: string }) => {
    ${before}
    return { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body }
  }`

/** Returns a project with one function behind a load balancer on a free port. */
export function projectFolder(source: string = answerWith('one'), more = '') {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'shop.ts'), source)
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export default {
      functions: { shop: { module: './shop.ts', timeout: 20 } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      ${more}
    }`,
  )
  return folder
}
