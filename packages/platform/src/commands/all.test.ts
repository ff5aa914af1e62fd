import { expect, it } from '@jest/globals'
import { allCommands, commands } from './all.ts'

it('no platform command hides a command of an event source', async () => {
  const own = commands.map(({ name }) => name)
  const names = (await allCommands()).slice(commands.length).map(({ name }) => name)
  expect(names).toContain('mail send')
  expect(names.filter(name => own.some(each => name === each || name.startsWith(`${each} `)))).toEqual([])
})

it('the help lists every command under what it is about', async () => {
  const subjects = (await allCommands()).map(({ subject }) => subject)
  expect([...new Set(subjects)]).toEqual([
    ...['Develop', 'Run', 'Invocation log', 'Access', 'User pools', 'Load balancers', 'Queues', 'Mail'],
    'Durable functions',
  ])
})

it('each short option stands for the same long option in every command', async () => {
  const meanings = new Map([
    ['h', new Set(['help'])],
    ['v', new Set(['version'])],
  ])
  for (const { options } of await allCommands())
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
