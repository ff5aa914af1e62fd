import { describe, expect, it } from '@jest/globals'
import { flatten, group } from './group.ts'
import { noContent } from './reply.ts'
import { get } from './route.ts'

const route = (path: `/${string}`) => get(path, () => noContent())
const first = { name: 'first', before: () => undefined }
const second = { name: 'second', before: () => undefined }

describe('group', () => {
  it('puts routes below a prefix, where / is the prefix itself', () => {
    const { routes } = group('/admin', [], [route('/'), route('/users'), route('/users/')])
    expect(routes.map(({ path }) => path)).toEqual(['/admin', '/admin/users', '/admin/users/'])
  })

  it('the prefix / is none', () => {
    const { routes } = group('/', [first], [route('/'), route('/users')])
    expect(routes.map(({ path }) => path)).toEqual(['/', '/users'])
  })

  it('nests, the outer middlewares first', () => {
    const inner = group('/b', [second], [route('/c')])
    const routes = flatten([route('/d'), group('/a', [first], [inner, route('/e')])])
    expect(routes.map(({ path, middlewares }) => [path, middlewares.map(({ name }) => name)])).toEqual([
      ['/d', []],
      ['/a/b/c', ['first', 'second']],
      ['/a/e', ['first']],
    ])
  })

  it('refuses a prefix that ends with a slash', () => {
    expect(() => group('/admin/', [], [])).toThrow('"/admin/" ends with a slash')
  })
})
