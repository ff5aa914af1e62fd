import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { isObject } from '@signalbox/codec'
import type { PlatformFamily, SourceConfig, SourceModule } from '@signalbox/platform-runtime'
import { contextOf, defineCommand, run, sourceCommands } from '@signalbox/platform-runtime/command-line'
import { captureOutput } from '@signalbox/platform-runtime/command-line/testing/capture-output'
import {
  type ConfigOf,
  functionReferenceProblems,
  insideProblems,
  mapOf,
  numberFrom,
  optional,
  required,
} from '@signalbox/platform-runtime/config'
import { makePlatform } from '@signalbox/platform-runtime/platform'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import * as t from 'io-ts'
import { program } from './source-modules.ts'

// A new event source with its own event family: timers that call functions. It needs no code outside this
// file.
const timerFields = {
  /** The seconds between two calls. */
  every: required(numberFrom(0.001, 60, 'seconds')),
  /** The function that is called. */
  function: required(t.string),
}
interface TimerConfig extends ConfigOf<typeof timerFields> {}
const timersFields = { timers: optional(mapOf<TimerConfig>(timerFields)) }

const timersPart: SourceConfig<readonly TimerConfig[]> = {
  name: 'timer',
  fields: timersFields,
  problems: (config, functions) =>
    insideProblems(timersFields, 'timers', config, (part, pointer) =>
      functionReferenceProblems(part, pointer, functions),
    ),
  listeners: () => [],
  settings: ({ timers }) => (isObject(timers) ? (Object.values(timers) as TimerConfig[]) : undefined),
}

const tickFamily: PlatformFamily = {
  name: 'tick',
  keys: ['tick'],
  recognizes: event => typeof event === 'object' && event !== null && 'tick' in event,
  correlationId: () => undefined,
  event: t.type({ tick: t.number }),
  normalize() {},
  timeLimit: 1000,
  verdict: payload => ({ kind: 'ticked', ok: payload === '"tock"', text: `answered ${payload}` }),
  summarize: ({ tick }) => `tick ${tick}`,
  samples: { tick: async () => ({ tick: 1 }) },
}

const timerModule: SourceModule<readonly TimerConfig[], { readonly ticks: () => number }> = {
  config: timersPart,
  family: async () => tickFamily,
  commands: async () => [
    defineCommand({
      name: 'timers',
      summary: 'Count the timers',
      usage: '',
      examples: [['signalbox timers', 'prints a number']],
      options: {},
      async run(_values, _operands, { project, print }) {
        print(String((await project()).settings.of(timersPart)?.length ?? 0))
        return 0
      },
    }),
  ],
  open(timers = [], { dispatch, clock }) {
    let ticks = 0
    let cancel = () => {}
    const sources = timers.map(({ every, function: functionName }) => ({
      name: 'timer',
      async start() {
        const tick = async (): Promise<void> => {
          const event = { tick: ++ticks }
          const verdict = (payload: string) => ({
            family: 'tick',
            ...tickFamily.verdict(payload, event as never),
          })
          await dispatch({
            functionName,
            event,
            family: 'tick',
            source: 'timer',
            verdict,
            describe: it => it,
          })
          cancel = clock.after(every * 1000, () => void tick())
        }
        await tick()
        return { source: 'timer', url: `every ${every} s` }
      },
      stop: async () => cancel(),
    }))
    return { sources, access: { ticks: () => ticks } }
  },
}

const withTimers = { ...program, modules: [...program.modules, timerModule] }
const functions = { clock: { handler: () => 'tock' } }

describe('an event source in the list of modules', () => {
  it('reads its part of the configuration, calls functions, logs these calls, and adds methods to the platform', async () => {
    const config = { functions, dataDir: ':memory:', timers: { fast: { every: 1, function: 'clock' } } }
    const platform = makePlatform(withTimers, config)
    expect(await platform.start()).toEqual([{ source: 'timer', url: 'every 1 s' }])
    expect(await platform.invocationLog.list()).toMatchObject([
      { family: 'tick', source: 'timer', verdict: { kind: 'ticked', ok: true, text: 'answered "tock"' } },
    ])
    expect(platform).toMatchObject({ ticks: expect.any(Function) })
    await platform.stop()
  })

  it('reports its own configuration problems together with those of the platform', () => {
    const config = { functions, timers: { fast: { every: 99, function: 'clokc' } }, grace: 'x' as never }
    expect(() => makePlatform(withTimers, config)).toThrow(
      expect.objectContaining({
        problems: expect.arrayContaining([
          expect.objectContaining({ pointer: '/timers/fast/every' }),
          expect.objectContaining({ pointer: '/timers/fast/function', expected: 'clock' }),
          expect.objectContaining({ pointer: '/grace' }),
        ]),
      }),
    )
  })

  it('recognizes its events and gives verdicts on them', async () => {
    const platform = makePlatform(withTimers, { functions, dataDir: ':memory:' })
    const { verdict } = await platform.invoke('clock', { tick: 7 })
    expect(verdict).toEqual({ family: 'tick', kind: 'ticked', ok: true, text: 'answered "tock"' })
    await platform.stop()
  })

  it('adds commands to the command line', async () => {
    using folder = temporaryFolder()
    const config = `export default { functions: {}, timers: { a: { every: 1, function: 'x' } } }`
    writeFileSync(
      join(folder.path, 'signalbox.config.js'),
      config.replace('{}', '{ x: { handler: () => 0 } }'),
    )
    const captured = captureOutput(folder.path)
    expect(
      await run(['timers'], [], '1', contextOf(withTimers, captured.terminal), () =>
        sourceCommands([timerModule]),
      ),
    ).toBe(0)
    expect(captured.printed).toBe('1')
  })
})
