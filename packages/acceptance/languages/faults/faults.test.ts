import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { createPlatform, type Platform } from '@signalbox/platform'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

/**
 * How often each fault happens. These tests start and kill hundreds of processes, and wait for functions that have half a
 * second, so they run only when they are asked for: `TIMES=100 npm run jest -- packages/acceptance/languages`.
 */
const times = Number(process.env.TIMES ?? 0)
// Some programs start a hundred clients for a fault, which can take seconds on a busy machine.
if (times > 0) jest.setTimeout(times * 10_000)
/** Groups these tests, or skips them. */
const when = Object.assign(
  (name: string, tests: () => void) => (times > 0 ? describe : describe.skip)(name, tests),
  {
    skip: describe.skip,
  },
)
const title = times > 0 ? 'functions that break' : 'functions that break (they run with TIMES=100)'

const client = (file: string) => join(import.meta.dirname, '../../../platform/languages', file)

interface Language {
  readonly programs: readonly string[]
  /** Builds the function, and returns its command. */
  readonly command: (folder: string) => readonly [string, ...string[]]
}

const languages: { readonly [name: string]: Language } = {
  Python: { programs: ['python3'], command: () => ['python3', client('python/runtime.py')] },
  Go: {
    programs: ['go'],
    command(folder) {
      execFileSync('go', ['build', '-o', join(folder, 'faults')], { cwd: import.meta.dirname })
      return [join(folder, 'faults')]
    },
  },
  bash: { programs: ['bash', 'curl'], command: () => ['bash', client('shell/runtime.sh')] },
}

/** What a caller gets of each fault: a part of the failure's message, or the answer. */
const faults: readonly [fault: string, expected: RegExp | unknown][] = [
  ['throw', /: sold "out"$/],
  ['exit', /^function (?:exited with code 3|was killed by SIGKILL)$/],
  ['twice', 'first'],
  ['other', 400],
  ['garbage', /not UTF-8$/],
  ['long', /longer than 6291556 bytes$/],
  ['connections', Array(100).fill(403)],
]

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

if (process.platform === 'linux')
  describe.each(Object.entries(languages))('in %s,', (_language, { programs, command }) => {
    describeWith(programs, when, title, () => {
      const folder = temporaryFolder()
      /** A variable that shows which processes are those of this test. */
      const mark = `FAULTS=${randomUUID()}`
      let platform: Platform
      let before: readonly [memory: number, descriptors: number]
      beforeAll(async () => {
        const config = {
          command: command(folder.path),
          export: 'faults.handler',
          env: { FAULTS: mark.slice(7) },
          instances: 1,
          wait: 120,
          timeout: 120,
        }
        platform = createPlatform(
          {
            functions: {
              function: config,
              hasty: { ...config, timeout: 0.5 },
              several: { ...config, timeout: 0.5, concurrency: 2 },
              broken: { ...config, env: { ...config.env, EXIT_AT_START: '1' } },
            },
            dataDir: ':memory:',
          },
          { root: import.meta.dirname },
        )
        for (const [fault] of faults) await answer({ do: fault, why: '' })
        for (const name of ['function', 'hasty', 'several']) await recovers(name)
        before = await measured()
      })
      afterAll(async () => {
        await platform.stop()
        folder[Symbol.dispose]()
      })

      const answer = async (event: object, name = 'function') => {
        const { payload, failure } = await platform.invoke(name, event)
        return failure?.message ?? (JSON.parse(payload) as unknown)
      }
      const isHonest = async (name?: string) => {
        const event = { do: 'echo', text: randomUUID() }
        expect(await answer(event, name)).toEqual(event)
      }
      /** Waits until a function with little time answers, which may take a few attempts on a busy machine. */
      const recovers = async (name: string) => {
        while ((await platform.invoke(name, { do: 'echo' })).failure !== undefined);
      }

      it.each(faults)('%s: no other event is harmed', async (fault, expected) => {
        const event = { do: fault, why: 'sold "out"' }
        for (let time = 0; time < times; time++) {
          const actual = await answer(event)
          if (expected instanceof RegExp) expect(actual).toMatch(expected)
          else expect(actual).toEqual(expected)
          await isHonest()
        }
      })

      it('children: they end with their instance', async () => {
        for (let time = 0; time < times; time++) {
          const children = (await answer({ do: 'children' })) as number[]
          await isHonest()
          // A child has the mark of its parent as soon as it has become a program of its own.
          while (!children.every(id => marked(mark).includes(id))) await delay(20)
          await answer({ do: 'exit' })
          await isHonest()
          while (marked(mark).some(id => children.includes(id))) await delay(20)
        }
      })

      it('no answer: the instance is replaced', async () => {
        for (let time = 0; time < times; time++) {
          expect(await answer({ do: 'never' }, 'hasty')).toBe('hasty timed out after 500 ms')
          await recovers('hasty')
        }
      })

      it('a late answer: only its event fails', async () => {
        for (let time = 0; time < times; time++) {
          const [late] = await Promise.all([
            answer({ do: 'late', seconds: 0.7 }, 'several'),
            recovers('several'),
          ])
          expect(late).toBe('several timed out after 500 ms')
          await recovers('several')
        }
      })

      it('an exit before the first event: each event fails', async () => {
        for (let time = 0; time < times; time++)
          expect(await answer({ do: 'echo' }, 'broken')).toBe('broken exited with code 7')
      })

      it('nothing is left of all these: memory, descriptors, processes', async () => {
        const [memory, descriptors] = before
        const [moreMemory, moreDescriptors] = await measured()
        expect(moreMemory - memory).toBeLessThan(10)
        expect(moreDescriptors).toBeLessThanOrEqual(descriptors + 2)
        await platform.stop()
        expect(marked(mark)).toEqual([])
      })
    })
  })

/** Returns the megabytes and the descriptors that this process uses. */
async function measured(): Promise<readonly [memory: number, descriptors: number]> {
  // What has ended closes its pipes a little later.
  await delay(1000)
  collectGarbage()
  return [process.memoryUsage().heapUsed / 1e6, readdirSync('/proc/self/fd').length]
}

/** Returns the ids of the running processes whose environment has a variable. */
function marked(variable: string): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(variable)
      } catch {
        return false
      }
    })
    .map(Number)
}
