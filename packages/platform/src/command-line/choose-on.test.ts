import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { chooseOn } from './choose-on.ts'

const [up, down, space, enter] = ['\u001b[A', '\u001b[B', ' ', '\r']

function terminal() {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    setRawMode: () => stream,
  })
  return stream
}

/** Chooses by pressing keys, each when the output shows the question. */
async function chosenBy(keys: readonly string[], isOne: boolean) {
  const [input, output] = [terminal(), terminal()]
  let shown = ''
  const isAsking = new Promise<void>(resolve => {
    output.on('data', text => {
      shown += text
      if (shown.includes('mail-flow')) resolve()
    })
  })
  const names = ['queue', 'user-pool', 'mail-flow']
  const answer = chooseOn(input, output)!('Which?', names, { chosen: 'queue', isOne })
  await isAsking
  for (const key of keys) input.write(key)
  return { answer: await answer, shown }
}

it('chooseOn() lets the user choose one of several names with the arrow keys', async () => {
  expect(await chosenBy([enter], true)).toMatchObject({
    answer: ['queue'],
    shown: expect.stringContaining('Which?'),
  })
  expect((await chosenBy([down, down, up, enter], true)).answer).toEqual(['user-pool'])
})

it('chooseOn() lets the user tick several names', async () => {
  expect((await chosenBy([enter], false)).answer).toEqual(['queue'])
  expect((await chosenBy([space, down, space, down, space, enter], false)).answer).toEqual([
    'user-pool',
    'mail-flow',
  ])
})

it('chooseOn() returns undefined without a terminal', () => {
  expect(chooseOn(new PassThrough(), terminal())).toBeUndefined()
  expect(chooseOn(terminal(), new PassThrough())).toBeUndefined()
})
