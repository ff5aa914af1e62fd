import { describe, expect, it } from '@jest/globals'
import { noContent } from '../response/reply.ts'
import { flatten, group } from './group.ts'
import { get } from './route.ts'

const route = (path: `/${string}`) => get(path, () => noContent())
const first = { name: 'first', before: () => undefined }
const second = { name: 'second', before: () => undefined }

describe('group', () => {
  it('puts the paths of its routes below a prefix, and turns the path "/" into the prefix itself', () => {
    const { routes } = group('/admin', [], [route('/'), route('/users'), route('/users/')])
    expect(routes.map(({ path }) => path)).toEqual(['/admin', '/admin/users', '/admin/users/'])
  })

  it('leaves paths unchanged for the prefix "/"', () => {
    const { routes } = group('/', [first], [route('/'), route('/users')])
    expect(routes.map(({ path }) => path)).toEqual(['/', '/users'])
  })

  it('runs the middlewares of the outer group first when groups nest', () => {
    const inner = group('/b', [second], [route('/c')])
    const routes = flatten('router()', [route('/d'), group('/a', [first], [inner, route('/e')])])
    expect(routes.map(({ path, middlewares }) => [path, middlewares.map(({ name }) => name)])).toEqual([
      ['/d', []],
      ['/a/b/c', ['first', 'second']],
      ['/a/e', ['first']],
    ])
  })

  it('refuses a prefix that ends with a slash', () => {
    expect(() => group('/admin/', [], [])).toThrow('"/admin/" ends with a slash')
  })

  it('throws an error that says whether the prefix or the routes are missing', () => {
    expect(() => group(undefined as never, [], [])).toThrow('The prefix of a group is nothing')
    expect(() => group('/a', [], [])).toThrow('group("/a") has no routes')
  })

  it.each<[string, unknown]>([
    ['a single middleware', first],
    ['a list of routes', [route('/a')]],
    ['a list with undefined', [undefined]],
    ['a list of functions', [() => first]],
    ['a list of objects without hooks', [{ name: 'none' }]],
  ])('refuses %s instead of a list of middlewares', (_, middlewares) => {
    expect(() => group('/a', middlewares as never, [])).toThrow(
      'group("/a") takes a list of middlewares before the routes',
    )
  })
})

describe('flatten', () => {
  it.each([
    [
      'an object',
      { '/a': route('/a') },
      'The routes of router() are an object, expected a list: router([get(…), …])',
    ],
    ['undefined', undefined, 'The routes of router() are nothing, expected a list: router([get(…), …])'],
    ['an empty list', [], "router() has no routes. Add one, such as get('/orders', handler)."],
    [
      'a list with undefined',
      [route('/a'), undefined],
      'Route 2 of the list is nothing, expected one made by get',
    ],
    ['a list in a list', [[route('/a')]], 'Route 1 of the list is a list, expected one made by get'],
    [
      'a list of objects that are not routes',
      [{ path: '/a' }],
      'Route 1 of the list is an object, expected one made by get',
    ],
  ])('refuses %s as the routes', (_, routes, message) => {
    expect(() => flatten('router()', routes as never)).toThrow(message)
  })
})
