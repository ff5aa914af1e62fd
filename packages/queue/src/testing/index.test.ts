import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError } from '@signalbox/core'
import { fifoEvent, queueEvent, queueRecord } from './index.ts'

describe('a mistake that the compiler would find, in a test whose types nobody checks', () => {
  it.each([
    [
      'a body instead of bodies',
      () => queueEvent({ body: 'x' } as never),
      'queueEvent() has no option "body". The options are bodies, records.',
    ],
    [
      'bodies that are no list',
      () => queueEvent({ bodies: 'x' } as never),
      'queueEvent(): bodies expects a list: bodies: [body]',
    ],
    [
      'bodies without groups',
      () => fifoEvent(['x'] as never),
      'fifoEvent() expects a list of pairs: [[group, body]]',
    ],
    [
      'the options of queueEvent for fifoEvent',
      () => fifoEvent({ bodies: [] } as never),
      'fifoEvent() expects a list of pairs: [[group, body]]',
    ],
    [
      'an object as the body of a record',
      () => queueRecord({ id: '1' } as never),
      'queueRecord(): the body is a string, such as JSON.stringify(order)',
    ],
  ])('is refused: %s', (_mistake, build, message) => {
    expect(build).toThrow(new InvalidOptionError(message))
  })
})
