import { describe, expect, it } from '@jest/globals'
import { parsePath } from './path-pattern.ts'

describe('parsePath', () => {
  it('reads static segments, parameters and rest parameters', () => {
    expect(parsePath('/orders/{my-id}/{rest+}')).toEqual([
      { kind: 'static', text: 'orders' },
      { kind: 'param', name: 'my-id' },
      { kind: 'rest', name: 'rest' },
    ])
  })

  it('keeps empty segments', () => {
    expect(parsePath('/')).toEqual([{ kind: 'static', text: '' }])
    expect(parsePath('/a/')).toEqual([
      { kind: 'static', text: 'a' },
      { kind: 'static', text: '' },
    ])
  })

  it('keeps colons and stars inside a segment', () => {
    expect(parsePath('/a:b/*c/:')).toHaveLength(3)
  })

  it.each([
    ['orders', 'does not start with a slash'],
    ['', 'does not start with a slash'],
    ['/a?b=c', 'has a query'],
    ['/a#b', 'has a query or fragment'],
    ['/café', 'write it as clients send it, /caf%C3%A9'],
    ['/a b', '/a%20b'],
    ['/{id}.json', 'not a whole segment: {id}.json'],
    ['/{a}{b}', 'not a whole segment'],
    ['/a{', 'not a whole segment'],
    ['/{a{b}', 'not a whole segment'],
    ['/a}', 'not a whole segment'],
    ['/{a', 'not a whole segment'],
    ['/{a}}', 'not a whole segment'],
    ['/+}', 'not a whole segment'],
    ['/{}', 'cannot be named {}'],
    ['/{+}', 'cannot be named {+}'],
    ['/{__proto__}', 'cannot be named'],
    ['/{id}/{id}', 'two parameters named id'],
    ['/orders/:id', 'has :id: a parameter is written {id}'],
    ['/files/*', 'the rest of a path is written {rest+}'],
    [
      '/{id:[0-9]+}',
      'has {id:[0-9]+}: a parameter has no pattern. Write {id}, and check it with a codec in params',
    ],
    ['/a/{id:.*}/b', 'Write {id}, and check it'],
    ['/a/{id?}', 'has an optional parameter: write one route with it and one without it'],
    ['/{rest+}/a', 'goes on after {rest+}'],
  ])('refuses the path %p, and names the reason', (path, why) => {
    expect(() => parsePath(path)).toThrow(why)
  })
})
