import { expect, it } from '@jest/globals'
import { commands } from './all.ts'

it('a short option stands for the same long option in every command', () => {
  const meanings = new Map([
    ['h', new Set(['help'])],
    ['v', new Set(['version'])],
  ])
  for (const { options } of commands)
    for (const [name, { short }] of Object.entries(options))
      if (short !== undefined) meanings.set(short, (meanings.get(short) ?? new Set()).add(name))
  expect(Object.fromEntries([...meanings].map(([short, names]) => [short, [...names]]))).toEqual({
    a: ['attribute'],
    c: ['config'],
    f: ['follow'],
    g: ['group'],
    h: ['help'],
    n: ['last'],
    s: ['subject'],
    t: ['text'],
    v: ['version'],
  })
})
