import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import validator from '@middy/validator'
import * as t from 'io-ts'
import { fromJson } from './from-json.ts'
import { schema } from './schema.ts'

const Greeting = t.type({ name: t.string })

describe('schema', () => {
  it('is a predicate that keeps the problems of its last call', () => {
    const isGreeting = schema(Greeting)
    expect(isGreeting.errors).toBeNull()
    expect(isGreeting({ name: 1 })).toBe(false)
    expect(isGreeting.errors).toEqual([{ pointer: '/name', expected: 'string', actual: 'number 1' }])
    expect(isGreeting({ name: 'Ada' })).toBe(true)
    expect(isGreeting.errors).toBeNull()
  })

  it('does not share its problems with other schemas', () => {
    const [one, two] = [schema(Greeting), schema(Greeting)]
    one(1)
    expect(two.errors).toBeNull()
  })

  it('refuses a value whose fields throw when they are read', () => {
    const isGreeting = schema(Greeting)
    const hostile = {
      get name(): string {
        throw new Error('no')
      },
    }
    expect(isGreeting(hostile)).toBe(false)
    expect(isGreeting.errors).toEqual([
      { pointer: '/name', expected: 'string', actual: 'something that cannot be checked' },
    ])
  })

  it('checks the value without decoding it, even for codecs that transform values', () => {
    const isGreeting = schema(fromJson(Greeting))
    expect(isGreeting('{"name":"Ada"}')).toBe(false)
    expect(isGreeting.errors).toEqual([
      { pointer: '', expected: 'object', actual: `string '{"name":"Ada"}'` },
    ])
    expect(isGreeting({ name: 'Ada' })).toBe(true)
  })

  it('keeps the pointers that a custom codec reports', () => {
    const Custom = new t.Type('Custom', Greeting.is, Greeting.validate, t.identity)
    const isCustom = schema(t.type({ inner: Custom }))
    expect(isCustom({ inner: {} })).toBe(false)
    expect(isCustom.errors).toEqual([{ pointer: '/inner/name', expected: 'string', actual: 'nothing' }])
    const Silent = new t.Type('Silent', Greeting.is, t.success, t.identity)
    const isSilent = schema(t.type({ inner: Silent }))
    isSilent({ inner: {} })
    expect(isSilent.errors).toEqual([{ pointer: '/inner', expected: 'Silent', actual: 'an object' }])
  })

  it('guards events and responses of a middy handler through @middy/validator', async () => {
    const handler = middy()
      .use(validator({ eventSchema: schema(Greeting), responseSchema: schema(t.string) }))
      .handler((event: unknown) => ((event as { name: string }).name === 'nobody' ? 1 : 'hello'))
    const call = (event: unknown) => handler(event as never, {} as never, undefined as never)
    expect(await call({ name: 'Ada' })).toBe('hello')
    await expect(call({ name: 1 })).rejects.toMatchObject({
      message: 'Event object failed validation',
      cause: { data: [{ pointer: '/name', expected: 'string', actual: 'number 1' }] },
    })
    await expect(call({ name: 'nobody' })).rejects.toMatchObject({
      message: 'Response object failed validation',
      cause: { data: [{ pointer: '', expected: 'string', actual: 'number 1' }] },
    })
  })
})
