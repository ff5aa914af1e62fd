import type { AnyConsolePart, ApiRoute, ConsolePage } from '@signalbox/platform-runtime/console'

/**
 * Returns the pages that sources describe.
 * @throws Error when a page names a route that its source does not have
 */
export function describedPages(parts: readonly AnyConsolePart[]): readonly ConsolePage[] {
  return parts.flatMap(({ name, page, routes }) => {
    if (page === undefined) return []
    const has = Object.values<ApiRoute>(routes).map(({ method, path }) => `${method} ${path}`)
    for (const { rows, actions = [] } of page.tables)
      for (const each of [`GET ${rows}`, ...actions.map(({ method, path }) => `${method} ${path}`)])
        if (!has.includes(each))
          throw new Error(
            `The page ${name} of the console names ${each}, but its source has only ${has.join(', ')}.`,
          )
    return [{ name, ...page }]
  })
}
