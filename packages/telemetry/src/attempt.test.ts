import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'

const lines: string[] = []
beforeEach(() => {
  jest.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0)
})
afterEach(() => {
  jest.restoreAllMocks()
  lines.length = 0
})

/** Returns the function as a new process has it, which has said nothing. */
async function freshAttempt() {
  const path = `./attempt.ts?fresh=${crypto.randomUUID()}`
  return ((await import(path)) as typeof import('./attempt.ts')).attempt
}

describe('attempt()', () => {
  it.each([
    [new TypeError('hunter2'), 'TypeError'],
    ['hunter2', 'error'],
  ])('says once that work failed, without the text of the error: %p', async (thrown, name) => {
    const attempt = await freshAttempt()
    const fail = () => {
      throw thrown
    }
    expect([attempt(fail), attempt(fail), attempt(fail)]).toEqual([undefined, undefined, undefined])
    expect(lines).toEqual([`telemetry: an event could not be recorded (${name})\n`])
  })

  it('returns what the work returns', async () => {
    const attempt = await freshAttempt()
    expect(attempt(() => 7)).toBe(7)
    expect(lines).toEqual([])
  })
})
