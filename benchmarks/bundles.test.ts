import { beforeAll, describe, expect, it } from '@jest/globals'
import { type Bundle, bundle } from './cold/bundle.ts'
import { budgets } from './cold/contenders.ts'

describe.each(Object.entries(budgets))('the bundle of %s', (file, { held }) => {
  let made: Bundle
  beforeAll(async () => {
    made = await bundle(file, ['@signalbox/source'])
  })

  it(`has at most ${held} bytes, minified`, () => {
    expect(made.code.byteLength).toBeLessThanOrEqual(held)
  })

  it('has neither ajv nor the fp-ts barrel in it, nor the CommonJS form of io-ts or fp-ts', () => {
    const files = Object.keys(made.inputs)
    expect(files.filter(path => path.includes('node_modules/ajv'))).toEqual([])
    expect(files.filter(path => /node_modules\/fp-ts\/(lib|es6)\/index\.js$/.test(path))).toEqual([])
    expect(files.filter(path => /node_modules\/(io|fp)-ts\/lib\//.test(path))).toEqual([])
    expect(files.some(path => path.includes('node_modules/io-ts/es6/index.js'))).toBe(true)
  })
})
