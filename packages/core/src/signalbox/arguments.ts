import type { Clock } from '../clock.ts'
import { InvalidOptionError } from '../errors.ts'
import { refuseUnknownOptions, showOption } from '../options.ts'
import type { Plugin, Request } from '../plugin.ts'

/** The options of `signalbox()`: those of middy, and also `reserve` and `clock`. */
export interface SignalboxOptions {
  /** The milliseconds before the time-out of the platform at which `signal` aborts. Default 250. */
  readonly reserve?: number
  /** The clock that measures the deadline. Default: the system clock. */
  readonly clock?: Clock
  /**
   * Middy's early time-out in milliseconds. Off (0) by default, because its timer takes twice as long as an empty
   * handler.
   */
  readonly timeoutEarlyInMillis?: number
  readonly timeoutEarlyResponse?: () => unknown
  readonly internal?: Record<string, unknown>
  readonly beforePrefetch?: () => void
  readonly requestStart?: (request: Request) => void
  readonly beforeMiddleware?: (name: string) => void
  readonly afterMiddleware?: (name: string) => void
  readonly beforeHandler?: () => void
  readonly afterHandler?: () => void
  readonly requestEnd?: (request: Request) => unknown
  readonly executionMode?: unknown
}

const optionNames = [
  'reserve',
  'clock',
  'timeoutEarlyInMillis',
  'timeoutEarlyResponse',
  'internal',
  'beforePrefetch',
  'requestStart',
  'beforeMiddleware',
  'afterMiddleware',
  'beforeHandler',
  'afterHandler',
  'requestEnd',
  'executionMode',
] as const satisfies readonly (keyof SignalboxOptions)[]

const aroundRoutes = 'write the plugin of the family around the routes, as in signalbox(queue(…))'

/**
 * Separates the arguments of `signalbox()`.
 * @throws InvalidOptionError as `signalbox()` does
 */
export function separate(args: readonly (Plugin | SignalboxOptions)[]): {
  plugins: Plugin[]
  options: SignalboxOptions
} {
  const plugins: Plugin[] = []
  let options: SignalboxOptions = {}
  for (let position = 0; position < args.length; position++) {
    const arg = args[position]!
    const isLast = position === args.length - 1
    if (isPlugin(arg)) plugins.push(arg)
    else if (isLast && typeof arg === 'object' && arg !== null && !Array.isArray(arg)) options = arg
    else {
      const hint = process.env.NODE_ENV !== 'production' && Array.isArray(arg) && hintForList(arg)
      throw new InvalidOptionError(
        hint || `signalbox(): argument ${position + 1} is not a plugin, such as queue(…); options go last`,
      )
    }
  }
  if (plugins.length === 0) {
    const hint =
      process.env.NODE_ENV !== 'production'
        ? `, and got only routes, options or nothing: ${aroundRoutes}`
        : ''
    throw new InvalidOptionError(`signalbox() needs at least one plugin${hint}`)
  }
  refuseUnknownOptions('signalbox()', options, optionNames)
  const { reserve = 0 } = options
  if (!(Number.isFinite(reserve) && reserve >= 0))
    throw new InvalidOptionError(
      `signalbox(): reserve is ${showOption(reserve)}, expected milliseconds, 0 or more`,
    )
  const names = new Set<string>()
  for (const { family } of plugins) {
    if (names.has(family.name))
      throw new InvalidOptionError(
        `signalbox() has two plugins for ${family.name}: the second would never run`,
      )
    names.add(family.name)
  }
  return { plugins, options }
}

function hintForList(list: readonly unknown[]): string {
  return list.every(isPlugin)
    ? 'signalbox() takes no list: write signalbox(...plugins)'
    : `signalbox() takes plugins, not a list of other things: ${aroundRoutes}`
}

function isPlugin(arg: unknown): arg is Plugin {
  const { family, handler, middlewares } = Object(arg) as Partial<Plugin>
  return !!(family && handler && middlewares)
}
