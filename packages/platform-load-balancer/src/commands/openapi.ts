import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapi as documentOf } from '@signalbox/load-balancer/openapi'
import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'

type Routes = Parameters<typeof documentOf>[0]

/** Returns why a module has no routes under this name, and what to do. */
function whyNotRoutes(exported: { readonly [name: string]: unknown }, name: string): string {
  const lists = Object.keys(exported).filter(each => Array.isArray(exported[each]))
  const names = Object.keys(exported).join(', ') || 'nothing'
  const found = Object.hasOwn(exported, name)
    ? `exports ${name}, which is not a list of routes`
    : `exports no ${name}. It exports ${names}`
  const [list] = lists
  return list === undefined
    ? `${found}. If the function serves HTTP requests, export the list that loadBalancer() gets: export const routes = […]`
    : `${found}. Did you mean --export ${list}?`
}

/** Prints the OpenAPI document of a function's routes. */
export const openapi = defineCommand({
  name: 'openapi',
  summary: "Print the OpenAPI document of a function's routes",
  usage: 'FUNCTION [--export NAME] [--title TITLE] [--version VERSION] [--server URL] [--config FILE]',
  details: `Loads the module of the function and reads the routes that it exports: the list that loadBalancer() gets.
Parameters, bodies and answers are those of their codecs and schemas.`,
  examples: [
    ['signalbox openapi shop > openapi.json', 'the routes that the module of shop exports as routes'],
    ['signalbox openapi shop --title Orders --server https://api.example.com', 'with a title and an address'],
  ],
  options: {
    config: configOption,
    export: { type: 'string', value: 'NAME', help: 'the export that has the routes; default routes' },
    title: { type: 'string', value: 'TITLE', help: "the title of the document; default the function's name" },
    version: { type: 'string', value: 'VERSION', help: 'the version of the API; default 0.0.0' },
    server: { type: 'string', value: 'URL', help: 'where the API is' },
  },
  async run({ config, export: exportName = 'routes', title, version = '0.0.0', server }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('openapi needs a function.')
    refuseOperands('openapi', operands, 1)
    const { functions } = (await terminal.project(config)).settings
    const found = functions.find(each => each.name === name)
    if (found === undefined)
      throw new UsageError(
        unknownName(
          'function',
          name,
          functions.map(each => each.name),
        ),
      )
    if (!('module' in found.code)) throw new UsageError(`The function ${name} has no module of its own.`)
    const { module } = found.code
    const exported = (await import(module)) as { readonly [name: string]: unknown }
    const routes = exported[exportName]
    if (!Array.isArray(routes)) {
      const file = relative(terminal.cwd, fileURLToPath(module))
      throw new UsageError(`${file} ${whyNotRoutes(exported, exportName)}`)
    }
    const document = documentOf(routes as Routes, {
      info: { title: title ?? name, version },
      ...(server === undefined ? {} : { servers: [{ url: server }] }),
    })
    terminal.print(JSON.stringify(document, null, 2))
    return 0
  },
})
