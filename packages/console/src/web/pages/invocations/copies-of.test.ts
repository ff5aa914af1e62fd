import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { createPlatform } from '../../../testing/console-program.ts'
import { commandFor, testFor } from './copies-of.ts'

const hostile = {
  functionName: 'a\'; echo "$HOME" `id` #',
  summary: "GET /\u202e*/ '",
  event: `{"text":${JSON.stringify("END_OF_EVENT\n'`$(id)`'\u202e\u2028\u{e0041}\\")},"__proto__":{"a-b":[]},"a":[{}]}`,
  verdict: { kind: "o'k", ok: true, text: 'fine' },
  logs: [],
  masked: false,
}

describe('commandFor', () => {
  it('returns a shell command that quotes hostile function names and events', () => {
    const script = commandFor(hostile)
      .replace('signalbox', 'printf %s\\\\n')
      .replace('cat > event.json', 'cat')
    const [event, ...words] = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
    expect(JSON.parse(event!)).toEqual(JSON.parse(hostile.event))
    expect(words).toEqual(['invoke', hostile.functionName, 'event.json'])
    expect(script).not.toMatch(/[\u202e\u2028]/)
  })
})

/** Returns the value of the event in a test. */
function eventIn(program: string): unknown {
  const [, literal] = /^const event = ([\s\S]+?)\n\ntest\(/m.exec(program)!
  return JSON.parse(runInNewContext(`JSON.stringify(${literal})`) as string)
}

describe('testFor', () => {
  it('returns a test with the event as a literal, and escapes characters that change how text is displayed', () => {
    const program = testFor(hostile)
    expect(program).not.toMatch(/[\u202e\u2028]/)
    expect(program).not.toContain('JSON.parse')
    expect(JSON.stringify(eventIn(program))).toBe(JSON.stringify(JSON.parse(hostile.event)))
    expect(program).toContain(`assert.equal(verdict?.kind, "o'k", verdict?.text)`)
    expect(testFor({ ...hostile, verdict: undefined })).toContain('assert.equal(failure, undefined)')
    expect(eventIn(testFor({ ...hostile, event: '{"cut' }))).toBe('{"cut')
  })

  it('says that secrets are masked', () => {
    expect(testFor(hostile)).not.toContain('masked')
    expect(testFor({ ...hostile, masked: true })).toContain('\n// Secrets are masked. ')
  })

  const functions = {
    shop: `async () => {
      if (isBroken) return { statusCode: 500, statusDescription: '500 Oops', isBase64Encoded: false, headers: {}, body: '' }
      return { statusCode: 404, statusDescription: '404 Not Found', isBase64Encoded: false, headers: {}, body: '' }
    }`,
    malformed: `async () => isBroken ? { statusCode: 200 } :
      ({ statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {}, body: '' })`,
    orders: `async ({ Records }) => ({
      batchItemFailures: isBroken ? [{ itemIdentifier: Records[0].messageId }] : [],
    })`,
    throws: `async () => { if (isBroken) throw new TypeError('no') }`,
    denies: `async event => { if (isBroken) throw new TypeError('no'); return event }`,
    logs: `async () => { if (isBroken) console.error('lost an order') }`,
  }
  const events: { readonly [name in keyof typeof functions]: unknown } = {
    shop: httpEvent('GET', '/orders/7'),
    malformed: httpEvent('GET', '/orders/8'),
    orders: queueEvent({ bodies: ['{}'] }),
    throws: queueEvent({ bodies: ['{}'] }),
    denies: preSignUpEvent(),
    logs: queueEvent({ bodies: ['{}'] }),
  }

  it('returns tests that fail until the function is mended, beside a platform that has the ports', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'copied-'))
    // The link lets the tests find the packages.
    symlinkSync(join(import.meta.dirname, '../../../../../../node_modules'), join(folder, 'node_modules'))
    const busy = createServer()
    try {
      await new Promise<void>(resolve => busy.listen(0, '127.0.0.1', resolve))
      const { port } = busy.address() as AddressInfo
      const write = (isBroken: boolean) =>
        writeFileSync(
          join(folder, 'functions.ts'),
          [
            `const isBroken = ${isBroken}`,
            ...Object.entries(functions).map(([name, code]) => `export const ${name} = ${code}`),
          ].join('\n'),
        )
      const modules = Object.fromEntries(
        Object.keys(functions).map(name => [name, { module: './functions.ts', export: name, timeout: 20 }]),
      )
      const config = { functions: modules, loadBalancers: { web: { port, function: 'shop' } } }
      writeFileSync(join(folder, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
      const names = Object.keys(functions).sort() as (keyof typeof functions)[]
      /** Invokes each function, and writes a copied test of each invocation. */
      const copy = async () => {
        const platform = createPlatform({ functions: modules, dataDir: ':memory:' }, { root: folder })
        for (const name of names) await platform.invoke(name, events[name])
        for (const entry of await platform.invocationLog.list()) {
          const { functionName } = entry
          writeFileSync(join(folder, `${functionName}.test.ts`), testFor({ ...entry, summary: 'an event' }))
        }
        await platform.stop()
      }
      /** Runs the tests, and returns the names of those that fail. */
      const failing = () => {
        const flags = ['--conditions=@signalbox/source', '--test-isolation=none']
        const files = names.map(name => `${name}.test.ts`)
        const { stdout } = spawnSync(
          process.execPath,
          [...flags, '--test', '--test-reporter=tap', ...files],
          {
            cwd: folder,
            encoding: 'utf8',
            env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
          },
        )
        const results = [...stdout.matchAll(/^(not ok|ok) \d+ - (\w+): an event/gm)]
        expect(results.map(([, , name]) => name).sort()).toEqual([...names].sort())
        return results
          .filter(([, result]) => result === 'not ok')
          .map(([, , name]) => name)
          .sort()
      }
      write(true)
      await copy()
      expect(failing()).toEqual(names)
      write(false)
      expect(failing()).toEqual([])
      // Tests of invocations that succeeded expect the same again.
      await copy()
      write(true)
      expect(failing()).toEqual(names.filter(name => name !== 'logs'))
    } finally {
      busy.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
