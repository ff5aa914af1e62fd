import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate } from '../index.ts'

/** Creates the code of functions for the tests of a file, and returns functions that read templates beside it. */
export function templateReader() {
  const folder = temporaryFolder()
  for (const path of [
    'orders/index.mjs',
    'orders/bootstrap',
    'web/src/app.ts',
    'web/src/app.js',
    'mail/handler.cjs',
    'asset.abc/index.js',
    'py/app.py',
  ]) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), '')
  }

  const kept: (readonly [string, string, string | Uint8Array])[] = []
  const read = (text: string, parameters: { readonly [name: string]: string } = {}) =>
    readTemplate(text, {
      root: folder.path,
      template: folder.path,
      python: from => ['python3', `${from === join(folder.path, 'py') ? '' : 'wrong/'}runtime.py`],
      keep(id, file, code) {
        kept.push([id, file, code])
        const path = join(folder.path, 'kept', id)
        mkdirSync(path, { recursive: true })
        return path
      },
      parameters,
      region: 'eu-central-1',
      account: '123456789012',
      stack: 'shop',
    })

  const ofSam = (resources: string, rest = '') =>
    read(`Transform: AWS::Serverless-2016-10-31\n${rest}\nResources:\n${resources}`)

  return { kept, read, ofSam, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

/** A function of a template for tests in which it does not matter which one it is. */
export const worker =
  '  Work: {Type: AWS::Lambda::Function, Properties: {Runtime: nodejs22.x, Code: orders, Handler: index.handler}}'
