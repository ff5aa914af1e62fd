import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'

describe('compile()', () => {
  it('returns a correct guard where Node forbids code generation from strings', () => {
    const { href } = new URL('../testing/compile.fuzz.ts', import.meta.url)
    const script = `
      let forbidden = false
      try { new Function('') } catch { forbidden = true }
      const { fuzz } = await import(${JSON.stringify(href)})
      console.log(forbidden, fuzz(300))`
    const flags = ['--disallow-code-generation-from-strings', '--conditions=@signalbox/source']
    const output = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(output).toBe('true 300 codecs\n')
  })
})
