type Handler = (event: unknown, context: object) => unknown

/**
 * Finds the function that a module exports under a name. A CommonJS module, and a bundle of one, can have it in its
 * default export. Returns a sentence about what is wrong if there is no such function.
 *
 * A default export that is itself a function is not searched: a handler of middy has a method `handler`, which replaces
 * its base handler instead of handling an event.
 */
export function exportedFunction(
  exports: Readonly<Record<string, unknown>>,
  name: string,
): Handler | { readonly why: string } {
  const named = exports[name]
  const inDefault = isPlugin(exports.default) ? undefined : inObject(exports.default, name)
  const exported = named ?? inDefault ?? named
  if (typeof exported === 'function') return exported as Handler
  if (exported === undefined && !Object.hasOwn(exports, name)) {
    const names = Object.keys(exports).join(', ') || 'nothing'
    return {
      why: `The module exports no function named ${name}. It exports ${names}.${advice(exports, name)}`,
    }
  }
  return { why: `What the module exports as ${name} is not a function: it is ${whatIs(exported, name)}` }
}

/** Says what an export is instead of a function, and what to write. */
function whatIs(exported: unknown, name: string): string {
  if (exported === undefined || exported === null) return `${exported}.`
  if (isPlugin(exported)) return `a plugin. ${aroundPlugin(name, exported)}`
  if (exported instanceof Promise) return 'a promise. Export the function itself, and do not call it.'
  return `of the type ${typeof exported}.`
}

function inObject(value: unknown, name: string): unknown {
  return typeof value === 'object' ? (value as Record<string, unknown> | null)?.[name] : undefined
}

/** Says what to write when the default export is what the platform would call under another name. */
function advice(exports: Readonly<Record<string, unknown>>, name: string): string {
  const { default: exported } = exports
  if (isPlugin(exported)) return ` ${aroundPlugin(name, exported)}`
  if (typeof exported !== 'function') return ''
  return ` Write export const ${name} = … instead of export default, or set export: 'default' at the function in the configuration.`
}

function aroundPlugin(name: string, { family }: Plugin): string {
  return `Write signalbox() around the plugin of ${family.name}: export const ${name} = signalbox(…).`
}

interface Plugin {
  readonly family: { readonly name: string }
}

/** Returns whether a value is a plugin of core. It is recognized by its shape, so that no instance loads core for this. */
function isPlugin(value: unknown): value is Plugin {
  const { family, handler, middlewares } = Object(value) as Readonly<Record<string, unknown>>
  return (
    typeof handler === 'function' &&
    Array.isArray(middlewares) &&
    typeof (family as Partial<Plugin['family']> | undefined)?.name === 'string'
  )
}
