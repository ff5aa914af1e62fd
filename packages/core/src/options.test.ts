import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError } from './errors.ts'
import { refuseUnknownOptions } from './options.ts'

const refuse = (options: unknown) => () =>
  refuseUnknownOptions('queue()', options as object, ['order', 'limit'])

describe('refuseUnknownOptions()', () => {
  it('accepts known options', () => {
    expect(refuse({})).not.toThrow()
    expect(refuse({ order: 1, limit: undefined })).not.toThrow()
  })

  it('throws an error that names the unknown option and either the nearest option or all options', () => {
    expect(refuse({ limt: 1 })).toThrow(InvalidOptionError)
    expect(refuse({ limt: 1 })).toThrow('queue() has no option "limt". Did you mean limit?')
    expect(refuse({ colour: 1 })).toThrow('queue() has no option "colour". The options are order, limit.')
  })

  it('lists all options in production, where nothing searches for the nearest', () => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    try {
      expect(refuse({ limt: 1 })).toThrow('queue() has no option "limt". The options are order, limit.')
    } finally {
      process.env.NODE_ENV = before
    }
  })

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['order', 'string'],
    [['order'], 'an array'],
    [() => {}, 'function'],
  ])('refuses %p instead of an options object', (options, given) => {
    expect(refuse(options)).toThrow(`queue() takes an object of order, limit, not ${given}.`)
  })
})
