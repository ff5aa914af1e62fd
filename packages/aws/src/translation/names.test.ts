import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { exactly, type Names, prefixed, swapped } from './names.ts'

const swap = swapped(['awsRegion', 'cloudRegion'])
const exact = exactly('iamRolesToOverride', 'accessRolesToOverride')
const prefix = prefixed('cognito:', 'pool:')

const rows: readonly [kind: string, names: Names, aws: string, neutral: string][] = [
  ['swapped()', swap, 'awsRegion', 'cloudRegion'],
  ['exactly()', exact, 'iamRolesToOverride', 'accessRolesToOverride'],
  ['prefixed()', prefix, 'cognito:groups', 'pool:groups'],
  ['prefixed() with a name that is only the prefix', prefix, 'cognito:', 'pool:'],
]

describe.each(rows)('%s', (_kind, names, aws, neutral) => {
  it('translates the AWS name into the neutral name, and back', () => {
    expect(names.fromAws(aws)).toBe(neutral)
    expect(names.toAws(neutral)).toBe(aws)
  })

  it('restores a neutral name that AWS itself sent, however often it is escaped', () => {
    for (const sent of [
      neutral,
      `aws:${neutral}`,
      `aws:aws:${neutral}`,
      `aws:${aws}`,
      `x${neutral}`,
      `aws:x${neutral}`,
    ]) {
      expect(names.toAws(names.fromAws(sent))).toBe(sent)
    }
  })

  it('does not change a name that has no translation', () => {
    for (const other of ['', 'email', 'aws:', 'aws:other', aws.slice(1), `x${aws}`, aws.toUpperCase()]) {
      expect(names.fromAws(other)).toBe(other)
      expect(names.toAws(other)).toBe(other)
    }
  })

  it('never translates two different names into the same name', () => {
    const part = fc.constantFrom('aws:', 'pool:', 'cognito:', 'x', aws, neutral)
    const name = fc.array(part, { maxLength: 5 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(names.toAws(names.fromAws(one))).toBe(one)
        if (one !== other) expect(names.fromAws(one)).not.toBe(names.fromAws(other))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('an AWS name in a result', () => {
  it('is kept in fields that AWS reads', () => {
    expect(prefix.toAws('cognito:groups')).toBe('cognito:groups')
    expect(exact.toAws('iamRolesToOverride')).toBe('iamRolesToOverride')
  })

  it('is replaced by the neutral name in fields that AWS does not read', () => {
    expect(swap.toAws('awsRegion')).toBe('cloudRegion')
  })
})

describe('the escape prefix', () => {
  it('is added to a neutral name that AWS sends', () => {
    expect(prefix.fromAws('pool:x')).toBe('aws:pool:x')
    expect(prefix.fromAws('aws:pool:x')).toBe('aws:aws:pool:x')
    expect(exact.fromAws('accessRolesToOverride')).toBe('aws:accessRolesToOverride')
    expect(exact.fromAws('aws:accessRolesToOverride')).toBe('aws:aws:accessRolesToOverride')
  })

  it('is not confused with a name that begins with the same letters', () => {
    expect(exactly('x', ':y').fromAws('aws:y')).toBe('aws:y')
  })
})
