import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { errorCodes } from '@signalbox/telemetry/masking'
import { commandErrorCodes, seePage, seePageOfFailure } from './error-page.ts'

const root = join(import.meta.dirname, '../../../..')
const address = 'https://github.com/signalbox/signalbox/blob/main/docs/errors.md#'

/** Codes of the platform that are answers to clients, and not printed by commands. */
const answers = ['CONSOLE_REQUEST', 'OAUTH', 'REFUSED', 'USER_POOL']

/** Returns the names and codes of the errors that packages declare. */
function declared(packages: string): readonly (readonly [name: string, code: string])[] {
  return globSync(`packages/${packages}/src/**/*.ts`, { cwd: root })
    .filter(file => !file.endsWith('.test.ts'))
    .flatMap(file => [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /readonly name(?:: string)? = '(\w+)'(?:\n.*){0,6}?\n\s+(?:override )?readonly code = '(\w+)'/g,
      ),
    ])
    .map(([, name, code]) => [name!, code!] as const)
}

it('docs/errors.md has a row with an anchor for every code', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const listed = [...page.matchAll(/^\| <a id="([A-Z_]+)"><\/a>`\1` +\|/gm)].map(([, code]) => code)
  expect(listed.sort()).toEqual([...errorCodes, ...commandErrorCodes].sort())
})

it('knows the code of every error of the platform that is no answer to a client', () => {
  const codes = declared('platform*').map(([, code]) => code)
  expect([...commandErrorCodes].sort()).toEqual(
    [...new Set(codes)].filter(code => !answers.includes(code)).sort(),
  )
})

it('names the page for the code of an error, and for no other code', () => {
  expect(seePage(Object.assign(new Error('no'), { code: 'INVALID_CONFIG' }))).toBe(
    `see ${address}INVALID_CONFIG`,
  )
  for (const other of [new Error('no'), Object.assign(new Error('no'), { code: 'ENOENT' }), undefined])
    expect(seePage(other)).toBe('')
})

it('finds the code of every error of functions by the name in the message of a failure', () => {
  const errors = declared('{aws,codec,core,load-balancer,mail-flow,queue,user-pool}')
  expect(new Set(errors.map(([, code]) => code))).toEqual(errorCodes)
  const meant = ['DENIED', 'DISCARDED', 'HTTP_ERROR', 'UNHANDLED_MESSAGE']
  for (const [name, code] of errors)
    expect([name, seePageOfFailure(`${name}: it failed`)]).toEqual([
      name,
      meant.includes(code) ? '' : `see ${address}${code}`,
    ])
})

it('finds the name within a message, and none in the messages of other errors', () => {
  expect(seePageOfFailure('The module cannot be loaded. InvalidOptionError: queue() needs onMessage')).toBe(
    `see ${address}INVALID_OPTION`,
  )
  for (const message of ['TypeError: no', 'Error: no', 'UnknownError: no', 'sort exited with code 3'])
    expect(seePageOfFailure(message)).toBe('')
})
