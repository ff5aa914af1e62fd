import { isObject } from '@signalbox/codec'
import type { SourceConfig, SourceModule } from '@signalbox/platform-runtime'
import { object, optional } from '@signalbox/platform-runtime/config'
import {
  type ConsolePart,
  type ConsoleView,
  found,
  RefusedError,
  refusals,
  route,
} from '@signalbox/platform-runtime/console'
import * as t from 'io-ts'

/** A bell at a door. */
interface Bell {
  readonly name: string
  /** The code that opens the door. Only visitors who may act see it. */
  readonly code: string
  rings: number
}

const BellState = t.readonly(t.type({ name: t.string, code: t.string, rings: t.number }))

const bellRoutes = {
  bells: route('GET', '/bells', { returns: { 200: t.readonlyArray(BellState) } }),
  bell: route('GET', '/bells/{name}', { isLogged: true, returns: { 200: BellState, ...refusals } }),
  ring: route('POST', '/bells/{name}/rings', { returns: { 204: null, ...refusals } }),
  remove: route('DELETE', '/bells/{name}', { returns: { 204: null, ...refusals } }),
} as const

const bellsPart: SourceConfig<readonly Bell[]> = {
  name: 'bell',
  fields: { bells: optional(object) },
  problems: () => [],
  listeners: () => [],
  settings: ({ bells }) =>
    isObject(bells)
      ? Object.entries(bells).map(([name, code]) => ({ name, code: String(code), rings: 0 }))
      : undefined,
}

/**
 * A source that no package knows, with two pages in the console, for tests. Its configuration is
 * `bells: { NAME: CODE }`.
 */
export const bellModule: SourceModule<readonly Bell[]> = {
  config: bellsPart,
  open: bells => ({ sources: [], access: {}, console: async () => bellConsole(bells) }),
}

/** Returns what bells bring to the console. */
export function bellConsole(settings: readonly Bell[] | undefined): ConsolePart<typeof bellRoutes> {
  const bells = new Map(settings?.map(bell => [bell.name, bell]))
  const named = (name: string) => found(bells.get(name), `bell ${name}`)
  const shown = ({ mayAct }: ConsoleView, bell: Bell) => (mayAct ? bell : { ...bell, code: 'hidden' })
  return {
    name: 'bells',
    isUsed: settings !== undefined,
    routes: bellRoutes,
    handlers: view => ({
      bells: async () => [...bells.values()].map(bell => shown(view, bell)),
      bell: async ({ params }) => shown(view, named(params.name)),
      async ring({ params }) {
        if (named(params.name).rings === 2) throw new RefusedError('The bell is worn out.')
        named(params.name).rings++
      },
      async remove({ params }) {
        bells.delete(named(params.name).name)
      },
    }),
    files: view => ({
      '/bells/{name}/label': async ({ name }) => ({
        kind: 'page',
        html: `<b>${shown(view, named(name!)).code}</b>`,
      }),
    }),
    live: async () => [...bells.values()].map(({ name, rings }) => ({ name, rings })),
    pages: [
      {
        name: 'bells',
        title: 'Bells',
        wrong: 'Worn out',
        sign: 'M8 2v3M3 12h10l-1.5-2V8a3.5 3.5 0 0 0-7 0v2z',
        contents: {
          about: 'Who stands at which door.',
          tables: [
            {
              title: 'Doors',
              rows: '/bells',
              key: 'name',
              columns: [
                { title: 'Bell', field: 'name' },
                { title: 'Code', field: 'code' },
                { title: 'Rings', field: 'rings' },
              ],
              empty: 'The configuration has no bell.',
              actions: [
                { title: 'Ring', method: 'POST', path: '/bells/{name}/rings' },
                {
                  title: 'Remove',
                  method: 'DELETE',
                  path: '/bells/{name}',
                  question: 'The bell is then gone.',
                },
              ],
            },
          ],
        },
      },
      {
        name: 'rings',
        title: 'Rings',
        sign: 'M3 8h10',
        contents: {
          about: 'How often each bell rang.',
          tables: [
            {
              title: 'Rings',
              rows: '/bells',
              key: 'name',
              columns: [{ title: 'Rings', field: 'rings' }],
              empty: 'The configuration has no bell.',
            },
          ],
        },
      },
    ],
  }
}
