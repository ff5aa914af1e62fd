import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { functionSoak } from './soak.ts'
import { verify } from './verify.ts'

// The processes of instances are found in /proc.
if (process.platform === 'linux')
  it('no message is lost by functions in several languages, while they and the platform are killed', async () => {
    const seed = fc.readConfigureGlobal().seed!
    const { violations, acknowledged, languages } = await functionSoak({ minutes: 0.1, seed })
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(acknowledged).toBeGreaterThan(10)
    expect(languages).toContain('node')
  })

describe('the check after a soak of functions', () => {
  it.each<[string, string, string[], string[], string[]]>([
    ['a lost message', 'ok 1\n', ['ok 1', 'throw 2'], [], ['throw 2 is lost']],
    [
      'a message that always fails and is nowhere',
      '',
      ['never 1'],
      [],
      ['never 1 is not in the dead-letter queue'],
    ],
    [
      'a message that always fails and was handled',
      'never 1\n',
      ['never 1'],
      ['never 1'],
      ['never 1 was handled, although it always fails'],
    ],
    ['no violation if a message is handled again', 'exit 1\nexit 1\n', ['exit 1'], [], []],
    ['no violation if kills have taken all attempts', '', ['ok 1'], ['ok 1'], []],
  ])('finds %s', (_, written, acknowledged, dead, violations) => {
    expect(verify(written, new Set(acknowledged), new Set(dead)).violations).toEqual(violations)
  })
})
