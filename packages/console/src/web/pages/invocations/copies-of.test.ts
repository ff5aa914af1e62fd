import { execFileSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { commandFor, testFor } from './copies-of.ts'

const hostile = {
  functionName: 'a\'; echo "$HOME" `id` #',
  summary: "GET /\u202e*/ '",
  event: JSON.stringify({ text: "END_OF_EVENT\n'`$(id)`'\u202e\u2028\u{e0041}\\" }),
  verdict: { kind: "o'k" },
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

describe('testFor', () => {
  it('returns a test with the event of the invocation, and escapes characters that change how text is displayed', () => {
    const program = testFor(hostile)
    expect(program).not.toMatch(/[\u202e\u2028]/)
    const [, text] = /JSON\.parse\((".*")\)$/m.exec(program)!
    expect(JSON.parse(JSON.parse(text!))).toEqual(JSON.parse(hostile.event))
    expect(program).toContain(`assert.equal(verdict?.kind, "o'k")`)
    expect(testFor({ ...hostile, verdict: undefined })).toContain('assert.equal(verdict?.kind, undefined)')
  })
})
