import { expect, it } from '@jest/globals'
import { execArguments } from './exec-arguments.ts'

const ours = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=64']

it.each<[string, string[], string[]]>([
  [
    'the conditions and loaders of the platform',
    ['--conditions=a', '-C', 'b', '--import', './x.js'],
    ['--conditions=a', '-C', 'b', '--import', './x.js'],
  ],
  [
    'no flags that are meant only for the platform',
    ['--inspect=9229', '--max-old-space-size=1', '--watch', '-e', '1', '--test'],
    [],
  ],
])('an instance gets %s', (_case, flags, passed) => {
  expect(execArguments(flags, 'file:///a/dist/b.js', 64)).toEqual([...passed, ...ours])
})

it('an instance runs packages from source when the platform does', () => {
  const source = '--conditions=@signalbox/source'
  expect(execArguments([], 'file:///a/src/b.ts', 64)).toEqual([source, ...ours])
  expect(execArguments([source], 'file:///a/src/b.ts', 64)).toEqual([source, ...ours])
})
