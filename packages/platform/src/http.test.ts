import { execFileSync } from 'node:child_process'
import { createServer as nodes, STATUS_CODES } from 'node:http'
import { expect, it } from '@jest/globals'
import { createServer, statusCodes } from './http.ts'

it('is what Node has', () => {
  expect(createServer).toBe(nodes)
  expect(statusCodes).toBe(STATUS_CODES)
})

it('brings no HTTP client along', () => {
  const loaded = (module: string) =>
    execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `await import(${JSON.stringify(module)}); console.log(process.moduleLoadList.join('\\n'))`,
    ]).toString()
  expect(loaded(new URL('./http.ts', import.meta.url).href)).not.toContain('undici')
  expect(loaded('node:http')).toContain('undici')
})
