import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { awsEvent, json } from '../../fixtures/arbitrary.ts'
import { closures } from './closures.ts'
import { generate } from './generate.ts'
import { swapped } from './names.ts'
import { batchPlaces, httpRequestPlaces, type Place, triggerPlaces } from './table.ts'
import { translation } from './translation.ts'

const places: readonly Place[] = [
  { below: triggerPlaces },
  { below: batchPlaces },
  { below: httpRequestPlaces },
  triggerPlaces.response,
]
const directions = ['fromAws', 'toAws'] as const

describe('a translation', () => {
  it('gives the same result with and without generated code, for any JSON value', () => {
    for (const place of places) {
      for (const direction of directions) {
        const compiled = generate(place, direction)
        const composed = closures(place, direction)
        fc.assert(
          fc.property(fc.oneof(awsEvent, json), value => {
            const text = JSON.stringify(value)
            const expected = JSON.stringify(composed(value))
            // The translation is called twice, because the first call learns the layout that the second call uses.
            expect(JSON.stringify(compiled(value))).toBe(expected)
            expect(JSON.stringify(compiled(value))).toBe(expected)
            expect(JSON.stringify(value)).toBe(text)
          }),
          { numRuns: 120 },
        )
      }
    }
  })

  it('returns the same object if no name changes, and otherwise shares unchanged parts', () => {
    for (const build of [translation, generate, closures]) {
      const toAws = build(
        { below: { a: { keys: swapped(['x', 'y']) }, b: { keys: swapped(['x', 'y']) } } },
        'toAws',
      )
      const same = { a: { z: 1 }, b: null, c: [] }
      expect(toAws(same)).toBe(same)
      const value = { a: { x: {} }, b: { z: 1 } }
      const translated = toAws(value) as { a: { y: object }; b: object }
      expect(translated).toEqual({ a: { y: {} }, b: { z: 1 } })
      expect(translated.b).toBe(value.b)
      expect(translated.a.y).toBe(value.a.x)
    }
  })

  it('is correct even when there are too many keys or too many layouts to learn', () => {
    const rename = generate({ keys: swapped(['x', 'y']) }, 'toAws')
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 100; count++) {
        const others = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
        expect(JSON.stringify(rename({ ...others, x: 'is', last: 1 }))).toBe(
          JSON.stringify({ ...others, y: 'is', last: 1 }),
        )
      }
    }
  })

  it('is correct where code generation is not allowed', () => {
    const script = `
      const { fromAws, toAws } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)})
      const event = { triggerSource: 'x', callerContext: { awsSdk: 1 }, request: { userAttributes: { 'cognito:a': 1 } } }
      const neutral = fromAws(fromAws(toAws(fromAws(event))) && event)
      console.log(JSON.stringify([neutral, toAws(neutral)]))`
    const output = execFileSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script],
      { encoding: 'utf8', cwd: fileURLToPath(new URL('.', import.meta.url)) },
    )
    expect(JSON.parse(output)).toEqual([
      { triggerSource: 'x', callerContext: { cloudSdk: 1 }, request: { userAttributes: { 'pool:a': 1 } } },
      { triggerSource: 'x', callerContext: { awsSdk: 1 }, request: { userAttributes: { 'cognito:a': 1 } } },
    ])
  })
})
