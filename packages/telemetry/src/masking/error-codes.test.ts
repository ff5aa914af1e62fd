import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { errorCodes } from './error-codes.ts'
import { maskText } from './mask.ts'

const root = join(import.meta.dirname, '../../../..')

it('the list has the code of every error of the packages that functions use', () => {
  const files = globSync('packages/{aws,codec,core,load-balancer,mail-flow,queue,user-pool}/src/**/*.ts', {
    cwd: root,
  })
  const declared = files
    .filter(file => !file.endsWith('.test.ts'))
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(/readonly code = '(\w+)'/g)])
    .map(([, code]) => code)
  expect([...errorCodes].sort()).toEqual([...new Set(declared)].sort())
})

describe('masking', () => {
  it.each([
    "UnhandledMessageError: It is redelivered.\n    at run {\n  code: 'UNHANDLED_MESSAGE',\n  why: 'group stopped'\n}",
    '{"level":"error","error":{"code":"UNROUTED","routes":["a"]}}',
    'failed with code=INVALID_EVENT',
  ])('leaves the code of an error readable: %j', text => {
    expect(maskText(text)).toMatchObject({ text, secrets: new Set() })
  })

  it.each([
    ["{ code: 'UNHANDLED_MESSAGE1' }", "{ code: '***' }"],
    ["{ code: 'unrouted' }", "{ code: '***' }"],
    ["{ code: '123456' }", "{ code: '***' }"],
    ['{"code":"424242"}', '{"code":"***"}'],
    ['{"mfaCode":"DENIED"}', '{"mfaCode":"***"}'],
    ['{"code":["DENIED"]}', '{"code":["***"]}'],
    ['{"password":{"code":"DENIED"}}', '{"password":{"code":"***"}}'],
    ["{ passcode: 'DENIED' }", "{ passcode: '***' }"],
  ])('masks other codes: %s', (text, masked) => {
    expect(maskText(text).text).toBe(masked)
  })
})
