import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from '@jest/globals'
import { configProblems } from '../testing/whole-program.ts'

const { container } = process.env
afterEach(() => {
  if (container === undefined) delete process.env.container
  else process.env.container = container
})

const access = { identities: {} }
const problemsOf = (control: object, more: object = {}) =>
  configProblems({ functions: {}, control: { testing: true, ...control }, ...more })
const pointersOf = (control: object, more?: object) => problemsOf(control, more).map(({ pointer }) => pointer)

describe('control.testing', () => {
  it.each<[string, object, object]>([
    ['this machine', {}, {}],
    ['this machine, as everyone on it', { host: '::1', open: true, names: ['box.localhost'] }, {}],
    ['a private address with access', { host: '10.0.0.7', names: ['box.internal', 'box'] }, { access }],
    ['every address with access', { host: '0.0.0.0' }, { access }],
  ])('is accepted for %s', (_, control, more) => {
    expect(problemsOf(control, more)).toEqual([])
  })

  it.each<[string, object, object, readonly string[]]>([
    ['a public address, also with access', { host: '8.8.8.8', open: true }, { access }, ['/control/host']],
    ['a public name', { host: 'box.example.com' }, { access }, ['/control/host']],
    ['a public name behind a proxy', { names: ['box', 'box.example.com'] }, { access }, ['/control/names/1']],
    ['a public origin', { origin: 'https://box.example.com', open: true }, {}, ['/control/origin']],
    ['a private address without access', { host: '10.0.0.7', open: true }, {}, ['/control/host']],
  ])('is refused for %s', (_, control, more, pointers) => {
    expect(pointersOf(control, more)).toEqual(pointers)
  })

  it('is accepted for every address of a container, if the configuration says open: true', () => {
    process.env.container = 'podman'
    expect(pointersOf({ host: '0.0.0.0', open: true })).toEqual([])
    expect(pointersOf({ host: '10.0.0.7', open: true })).toEqual(['/control/host'])
    expect(pointersOf({ host: '0.0.0.0' })).toEqual(['/control/host', '/control/host'])
    delete process.env.container
    const isContainer = ['/.dockerenv', '/run/.containerenv'].some(path => existsSync(path))
    expect(pointersOf({ host: '0.0.0.0', open: true })).toEqual(isContainer ? [] : ['/control/host'])
  })

  it('says in its refusal why, and what to write', () => {
    expect(problemsOf({ host: '10.0.0.7', open: true })).toEqual([
      {
        pointer: '/control/host',
        expected:
          "an address of this machine such as 127.0.0.1; or identities in `access` with rights: { testing: { use: ['*'] } }; or 0.0.0.0 with open: true in a container, since control.testing shows codes and deletes data",
        actual: '10.0.0.7, which other machines reach',
      },
    ])
  })
})
